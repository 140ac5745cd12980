# ruleid: argument-unlike-a-call
store(data)
# ruleid: argument-unlike-a-call
store(wrapped(checked(data)))
# ok: argument-unlike-a-call
store(checked(data))
# ok: argument-unlike-a-call
store("data")
# ruleid: argument-without-a-text
keep(raw.data)
# ok: argument-without-a-text
keep(safe.data)
# ruleid: argument-in-another-language
ask("SELECT name,   age FROM people")
# ruleid: argument-in-another-language
ask(f"SELECT {column} FROM people")
# ok: argument-in-another-language
ask("SELECTED names FROM people")
# ok: argument-in-another-language
ask("DELETE FROM people")
# ruleid: argument-with-one-of-two-words
show("<script src=x></script>")
# ruleid: argument-with-one-of-two-words
show("{% autoescape off %}")
# ok: argument-with-one-of-two-words
show("<scripted>")
# ruleid: regex-that-refuses-slowly
pattern_of("^(a+)+$")
# ok: regex-that-refuses-slowly
pattern_of("^a+$")
