"""Defining modules: `requests.api.get` is what packages offer as `requests.get`."""

from functools import lru_cache

HOMES = {
    "aiohttp.client": "aiohttp",
    "anthropic._client": "anthropic",
    "cloudpickle.cloudpickle": "cloudpickle",
    "cloudpickle.cloudpickle_fast": "cloudpickle",
    "dill._dill": "dill",
    "dill.session": "dill",
    "distributed.client": "distributed",
    "docker.client": "docker",
    "fabric.connection": "fabric",
    "fastapi.applications": "fastapi",
    "fastapi.param_functions": "fastapi",
    "flask.app": "flask",
    "flask.globals": "flask",
    "flask.helpers": "flask",
    "flask.templating": "flask",
    "flask.wrappers": "flask",
    "git.base": "git",  # what is left of git.repo.base
    "git.cmd": "git",
    "git.repo": "git",
    "git.repo.base": "git",
    "httpx._api": "httpx",
    "httpx._client": "httpx",
    "huggingface_hub._snapshot_download": "huggingface_hub",
    "huggingface_hub.file_download": "huggingface_hub",
    "invoke.context": "invoke",
    "joblib.externals.cloudpickle": "cloudpickle",
    "joblib.numpy_pickle": "joblib",
    "joblib.parallel": "joblib",
    "langchain_experimental.utilities.python": "langchain_experimental.utilities",
    "modin.pandas": "pandas",
    "nbclient.client": "nbclient",
    "numexpr.necompiler": "numexpr",
    "numpy.lib._npyio_impl": "numpy.lib.npyio",
    "openai._client": "openai",
    "pandas.core.computation.api": "pandas",
    "pandas.core.computation.eval": "pandas",
    "pandas.core.frame": "pandas",
    "pandas.io.api": "pandas",
    "pandas.io.pickle": "pandas",
    "past.builtins": "builtins",
    "pexpect.pty_spawn": "pexpect",
    "pexpect.run.run": "pexpect.run",
    "plumbum.local.local": "plumbum.local",
    "plumbum.machines.local": "plumbum.local",
    "pymongo.mongo_client": "pymongo",
    "quart.globals": "quart",
    "quart.helpers": "quart",
    "quart.templating": "quart",
    "redis.client": "redis",
    "requests.api": "requests",
    "requests.sessions": "requests",
    "six.moves.urllib": "urllib",
    "six.moves.urllib.request": "urllib.request",
    "torch.multiprocessing": "multiprocessing",
    "urllib3.connectionpool": "urllib3",
    "urllib3.poolmanager": "urllib3",
}
"""Modules, and names that a module shares with what it defines, by the name that rules know."""


@lru_cache(maxsize=1_000)
def home_words(name: str) -> frozenset[str]:
    """The last words of modules that a part of a name is defined in: `api` for requests.get."""
    return frozenset(
        home.rpartition(".")[2]
        for home, offered in HOMES.items()
        if name == offered or name.startswith(f"{offered}.")
    )
