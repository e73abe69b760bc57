#!/usr/bin/env python3
"""Names of C++ code by the rules of .clang-tidy (readability-identifier-naming) and CONTRIBUTING.md.

    check_names.py ROOT           what deviates
    check_names.py --self-test    known good and bad names

clang-tidy itself parses every file with all its templates, minutes for this project; this reads text and takes a
second. It knows scopes by their braces, and looks only where names are declared:

    types                      PascalCase
    namespaces, enumerators    snake_case
    private data members       end in _; public ones do not
    constants                  no kName, no ALL_CAPS: snake_case, with symbols of the notation (W_max)
    macros                     CAROM_..."""
import re
import sys
from pathlib import Path

# Constants in these are still called kName here and there; the others hold the rule.
OLD_CONSTANTS = ("src/carom/io", "src/carom/study", "apps", "benchmarks", "tests")
C_HEADERS = ("src/carom/io/fmi/fmi_messages.h",)  # shared with C
FOLDERS = ("src", "apps", "bindings", "benchmarks", "examples", "tests")
TYPE = re.compile(r"^[A-Z][A-Za-z0-9]*$")
LOWER = re.compile(r"^[a-z][a-z0-9_]*$")
# Of up to three signs without _ they are symbols: J1, EI, M12.
SCREAMS = re.compile(r"^(k[A-Z]\w*|[A-Z][A-Z0-9]+(_[A-Z0-9]+)*|[A-Z][A-Z0-9]*(_[A-Z0-9]{2,})+)$")


def bare(text):
    """The text with comments, strings and preprocessor lines blanked, line by line as before."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match.group())
    text = re.sub(r'R"(\w*)\((?:.|\n)*?\)\1"', lambda m: '""' + "\n" * m.group().count("\n"), text)
    text = re.sub(r'//[^\n]*|/\*(?:.|\n)*?\*/|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\'', blank, text)
    return re.sub(r"^[ \t]*#(?:[^\n\\]|\\\n|\\.)*", blank, text, flags=re.M)


def top_level(text, separator=","):
    """Pieces of a declaration between separators outside of brackets."""
    pieces, depth, last = [], 0, 0
    for i, c in enumerate(text):
        if c in "([{<":
            depth += 1
        elif c in ")]}" or (c == ">" and text[i - 1] != "-"):
            depth -= 1
        elif c == separator and depth <= 0:
            pieces.append(text[last:i])
            last = i + 1
    return pieces + [text[last:]]


def declared(statement):
    """Names a statement declares as data: `const T a = 1, *b{2}`; none if it is a function or something else."""
    statement = re.sub(r"\[\[.*?\]\]|\balignas\s*\([^)]*\)", " ", statement).strip()
    if not statement or re.match(r"(using|friend|typedef|template|operator|return|static_assert|public|private|protected)\b", statement):
        return []
    if re.search(r"\boperator\b", statement) or re.match(r"(class|struct|enum|union)\s+(class\s+)?\w+$", statement):
        return []
    names = []
    for k, piece in enumerate(top_level(statement)):
        head = top_level(re.split(r"(?<![=!<>])=(?!=)|\{", piece, maxsplit=1)[0].replace("::", "$$"), ":")[0].replace("$$", "::").strip()
        flat = head
        while True:  # template arguments
            less = re.sub(r"<[^<>]*>", " ", flat)
            if less == flat:
                break
            flat = less
        flat = re.sub(r"(\[[^\]]*\]\s*)+$", "", flat.strip()).strip()
        if "(" in flat:
            return names
        words = re.findall(r"[A-Za-z_]\w*|::", flat)
        if not words or (k == 0 and len([w for w in words if w not in ("const", "static", "mutable", "constexpr", "inline", "auto")]) < 2
                         and "auto" not in words):
            return names
        if len(words) > 1 and words[-2] == "::":
            return names
        names.append(words[-1])
    return names


class Scope:
    def __init__(self, kind, access="public"):
        self.kind, self.access = kind, access


def findings(text):
    """(line, what) for every name against the rules."""
    text_with_macros = text
    text = bare(text)
    found = []
    for match in re.finditer(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", text_with_macros, re.M):
        if not match.group(1).startswith("CAROM_"):
            found.append((text_with_macros[: match.start()].count("\n") + 1, f"macro {match.group(1)}: CAROM_..."))
    scopes, begin, line, start_line, parens = [Scope("namespace")], 0, 1, 1, 0

    def look(statement, at):
        scope = scopes[-1]
        if scope.kind == "enum":
            for piece in top_level(statement):
                name = re.match(r"\s*([A-Za-z_]\w*)", piece)
                if name and not LOWER.match(name.group(1)):
                    found.append((at, f"enumerator {name.group(1)}: snake_case"))
            return
        clean = statement
        while scope.kind == "class":
            label = re.match(r"\s*(public|private|protected)\s*:(?!:)", clean)
            if not label:
                break
            scope.access = label.group(1)
            clean = clean[label.end():]
        if scope.kind == "class":
            if re.match(r"\s*static\b", clean):
                return
            for name in declared(clean):
                if scope.access == "private" and not name.endswith("_"):
                    found.append((at, f"private member {name}: {name}_"))
                elif scope.access == "public" and name.endswith("_"):
                    found.append((at, f"member {name} that is public: without _"))
        if re.match(r"\s*(inline\s+|static\s+)*(constexpr|const)\b", clean):
            for name in declared(clean):
                if SCREAMS.match(name) and not re.match(r"^[A-Z][A-Z0-9]{1,2}$", name):
                    found.append((at, f"constant {name}: snake_case"))

    i = 0
    while i < len(text):
        c = text[i]
        if c == "\n":
            line += 1
        elif c == "(":
            parens += 1
        elif c == ")":
            parens -= 1
        elif c == "{" and parens == 0:
            head = text[begin:i]
            if scopes[-1].kind == "class":
                label = list(re.finditer(r"\b(public|private|protected)\s*:(?!:)", head))
                if label:
                    scopes[-1].access = label[-1].group(1)
                    head = head[label[-1].end():]
            named = re.search(r"\b(enum\s+(?:class\s+|struct\s+)?|class\s+|struct\s+|union\s+)(?:\[\[.*?\]\]\s*|alignas\s*\([^)]*\)\s*)*([A-Za-z_]\w*)(\s*final)?\s*"
                              r"(?::(?!:)[^{;]*|<[^{;]*)?$", head)
            space = re.search(r"\bnamespace\s+([\w:\s]*)$", head)
            if space:
                for name in re.findall(r"\w+", space.group(1)):
                    if name != "inline" and not LOWER.match(name):
                        found.append((line, f"namespace {name}: snake_case"))
                scopes.append(Scope("namespace"))
            elif named and "(" not in re.sub(r"alignas\s*\([^)]*\)", "", head[named.start():]).split(":")[0]:
                name = named.group(2)
                if not TYPE.match(name):
                    found.append((line, f"type {name}: PascalCase"))
                kind = named.group(1).split()[0]
                scopes.append(Scope("enum" if kind == "enum" else "class", "private" if kind == "class" else "public"))
            elif scopes[-1].kind in ("namespace", "class") and (re.search(r"[)\]]\s*(const|noexcept|override|final|mutable|->[^{]*|:[^{]*|\s)*$", head)
                                                                  or not head.strip()):
                scopes.append(Scope("code"))
            elif scopes[-1].kind == "code" and not re.search(r"[=,(]\s*$|\w\s*$", head):
                scopes.append(Scope("code"))
            else:  # an initialiser: part of its statement
                depth = 1
                while depth and i + 1 < len(text):
                    i += 1
                    depth += {"{": 1, "}": -1}.get(text[i], 0)
                    line += text[i] == "\n"
                i += 1
                continue
            begin, start_line = i + 1, line
        elif c == "}" and parens == 0:
            if scopes[-1].kind == "enum":
                look(text[begin:i], start_line)
            if len(scopes) > 1:
                scopes.pop()
            begin, start_line = i + 1, line
        elif c == ";" and parens == 0:
            statement = text[begin:i]
            look(statement, line)
            begin, start_line = i + 1, line
        i += 1
    return found


GOOD = """
namespace carom::inline laws {
enum class Kind : char { open, stick };
struct Site { double x = 0.0; std::map<int, double> of = {}; };
template <class T> class Box final : public Site {
 public:
  explicit Box(int n) : n_(n) {}
  int count() const { return n_; }
  static constexpr int max_dim = 6;
 private:
  double reach(const double* x) const;
  struct Inner { int a, b; };
  int n_ = 0; std::vector<double> a_, b_{1.0, 2.0};
  std::function<int(double)> f_;
  double D_[3];
};
constexpr double W_max = 1.0, e = 2.0;
inline constexpr Kind M = Kind::open;
}
#define CAROM_X 1
"""
BAD = {
    "struct some_type { int a; };": "type some_type",
    "enum class Kind { Open, stick };": "enumerator Open",
    "namespace Laws { }": "namespace Laws",
    "class A { int n; };": "private member n",
    "class A { public: int f() { return 1; } private: std::vector<int> a_, b; };": "private member b",
    "class A { public: int n_; };": "member n_",
    "struct A { double x_ = 1.0; };": "member x_",
    "constexpr int kMost = 3;": "constant kMost",
    "namespace a { const double MAX_STEPS = 3; }": "constant MAX_STEPS",
    "void f() { constexpr int kMost = 3; }": "constant kMost",
    "#define MINE 1": "macro MINE",
}


def self_test():
    wrong = [f"good code: {what}" for what in findings(GOOD)]
    for code, expected in BAD.items():
        found = findings(code)
        if len(found) != 1 or not found[0][1].startswith(expected):
            wrong.append(f"{code}: expected {expected}, found {found}")
    print("\n".join(wrong))
    return bool(wrong)


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        sys.exit(self_test())
    root = Path(sys.argv[1]).resolve()
    bad = False
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".h", ".cc"):
                name = str(path.relative_to(root))
                for line, what in findings(path.read_text()) if name not in C_HEADERS else ():
                    if what.startswith("constant k") and name.startswith(OLD_CONSTANTS):
                        continue
                    print(f"{name}:{line}: {what}")
                    bad = True
    sys.exit(bad)
