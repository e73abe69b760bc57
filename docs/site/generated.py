"""Pages that are what the program says of itself."""
import re


def command_names(carom):
    """The commands in the order of `carom --help`."""
    lines = carom("--help").split("Subcommands:")[1].splitlines()
    return [line.split()[0] for line in lines if re.match(r"  \w", line)]


def command_page(carom, docs):
    text = ["# Commands\n", "What `carom COMMAND --help` says.\n"]
    for name in command_names(carom):
        text += [f"## carom {name}\n", "```text", carom(name, "--help").rstrip(), "```\n"]
    (docs / "commands.md").write_text("\n".join(text))


def list_page(carom, docs):
    text = ["# Laws, joints, solvers, models, units\n", "What `carom list WHAT` says.\n"]
    for what in ("laws", "joints", "solvers", "models", "units", "tables"):
        text += [f"## {what}\n", "```text", carom("list", what).rstrip(), "```\n"]
    (docs / "lists.md").write_text("\n".join(text))


def reference_page(carom, docs):
    """From the program, not from the copy in the tree: they are held equal by a test."""
    (docs / "model_file_reference.md").write_text(carom("schema", "--reference"))
