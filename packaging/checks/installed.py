"""What is installed: the files that a list of tests/ names, component by component, no folder of this machine in any of them,
and completions that each shell reads. WHAT is `tree` or a shell."""
import os
import pathlib
import re

from common import expect, expect_match, expect_same, fact, room, run


def check_files(folder, components, listed, **facts):
    """The folder has the files and links of the components, and no others."""
    wanted = []
    for line in listed.splitlines():
        component, path = re.sub(r"@(\w+)@", lambda name: facts.get(name[1]) or getattr(fact, name[1]), line).split(" ", 1)
        wanted += [path] if component in components else []
    expect_same(files_below(folder), wanted, f"{folder} for {components}")


def files_below(folder):
    found = []
    for path in pathlib.Path(folder).rglob("*"):
        if path.is_symlink():
            found.append(f"{path.relative_to(folder)} -> {os.readlink(path)}")
        elif path.is_file():
            found.append(str(path.relative_to(folder)))
    return found


def tree():
    listed = pathlib.Path(fact.LIST).read_text()
    for component in ["runtime", "development", "tools"]:
        run("cmake", "--install", fact.BUILD, "--prefix", "/usr", "--component", component,
            env={**os.environ, "DESTDIR": str(room / component)})
        check_files(room / component / "usr", [component], listed)
    # grep is tried on a file that has what it looks for: that is the only one that it may find.
    (room / "planted").write_text(f"built in {fact.BUILD}/lib")
    folders = [word for folder in [fact.BUILD, fact.SOURCE, fact.CARGO_HOME, room] for word in ("-e", folder)]
    found = run("grep", "--recursive", "--files-with-matches", "--fixed-strings", *folders, room)
    expect(found == f"{room}/planted\n", f"these name folders of this machine:\n{found}")


def completions():
    share = pathlib.Path(fact.PREFIX, "share")
    if fact.WHAT == "bash":
        command = ["--norc", "-c", "source $0 && COMP_WORDS=(lately --wi) COMP_CWORD=1 && _lately lately --wi lately && "
                   'echo "${COMPREPLY[*]}"', share / "bash-completion/completions/lately"]
        offered = r"^--window\n$"
    elif fact.WHAT == "fish":
        command = ["--no-config", "-c", "source $argv[1] && complete --do-complete 'lately --wi'",
                   share / "fish/vendor_completions.d/lately.fish"]
        offered = r"^--window\tFind duplicates[^\n]*\n$"
    else:
        # zsh completes at a terminal only; here it calls what would offer the options, which shows them.
        command = ["-f", "-c", 'fpath=($1 $fpath) && compdef() : && _arguments() print -rl -- "$@" && autoload -U _lately && _lately',
                   "zsh", share / "zsh/site-functions"]
        offered = r"\n--window=\[Find duplicates"
    expect_match(offered, run(fact.PROGRAM, *command))


if __name__ == "__main__":
    tree() if fact.WHAT == "tree" else completions()
