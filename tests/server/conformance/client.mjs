// The TypeScript SDKs (v1 and v2) against a real service: node client.mjs v1|v2 stdio VETBOX
// or node client.mjs v1|v2 URL, with the token in TOKEN.
const [version, target, vetbox] = process.argv.slice(2);
const home = version === "v1" ? "@modelcontextprotocol/sdk" : "@modelcontextprotocol/client";
const at = (v1, v2) => import(version === "v1" ? `${home}/client/${v1}.js` : `${home}${v2}`);
const { Client } = await at("index", "");
const { StdioClientTransport } = await at("stdio", "/stdio");
const { StreamableHTTPClientTransport } = await at("streamableHttp", "");
const headers = { Authorization: `Bearer ${process.env.TOKEN}` };
const transport = target === "stdio"
  ? new StdioClientTransport({ command: vetbox, args: ["serve"], env: process.env })
  : new StreamableHTTPClientTransport(new URL(target), { requestInit: { headers } });
const client = new Client({ name: "acceptance", version: "1" });
const check = (holds, what) => { if (!holds) throw new Error(what); };

await client.connect(transport);
const { tools } = await client.listTools();
check(tools.some((tool) => tool.name === "run_static_analysis"), "the tool is not listed");
const answer = await client.callTool({
  name: "run_static_analysis", arguments: { target_paths: ["a.py"] },
});
check(answer.structuredContent.status === "completed_with_issues", JSON.stringify(answer));
let refused;
try {
  await client.callTool({ name: "run_static_analysis", arguments: { target_paths: ["../a.py"] } });
} catch (error) {
  refused = error;
}
check(refused?.code === -32602, "a path outside the project was accepted");
check(refused.data.validation_errors[0].field === "target_paths.0", JSON.stringify(refused.data));
await client.close();
