"""reference.py: prints docs/reference/python-api.md, from the source of the package costab beside it (`make docs`). Functions, classes and their
public methods appear with their signatures and docstrings; nothing is imported, so that no library has to be built."""
import ast
import inspect
import pathlib

PACKAGE = pathlib.Path(__file__).parent / "costab"


def signature(node):
    """The parameters as they are written, without self."""
    text = ast.unparse(node.args)
    return text.removeprefix("self").removeprefix(", ")


def documented(nodes):
    """Functions and classes of a body that are public and have a docstring."""
    kinds = (ast.FunctionDef, ast.ClassDef)
    return [node for node in nodes if isinstance(node, kinds) and not node.name.startswith("_") and ast.get_docstring(node)]


def entry(title, node):
    return f"{title}\n\n{inspect.cleandoc(ast.get_docstring(node))}\n"


def describe(node, name, classes):
    """A heading with the docstring of a function or a class, with its attributes and those of its private bases, and of the class's methods."""
    if isinstance(node, ast.FunctionDef):
        return [entry(f"### `{name}({signature(node)})`", node)]
    init = next((m for m in node.body if isinstance(m, ast.FunctionDef) and m.name == "__init__"), None)
    fields = [f"`{ast.unparse(f.target)}: {ast.unparse(f.annotation)}`" for part in [classes[b.id] for b in node.bases if isinstance(b, ast.Name) and b.id[0] == "_"] + [node]
              for f in part.body if isinstance(f, ast.AnnAssign)]
    pieces = [entry(f"### `class {name}{f'({signature(init)})' if init else ''}`", node)]
    if fields:
        pieces.append(f"Attributes: {', '.join(fields)}.\n")
    for method in documented(node.body):
        decorators = {ast.unparse(d) for d in method.decorator_list}
        title = f".{method.name}" if "property" in decorators else f".{method.name}({signature(method).removeprefix('cls').removeprefix(', ')})"
        pieces.append(entry(f"#### `{title}`", method))
    return pieces


def main():
    modules = {path.stem: ast.parse(path.read_text()) for path in sorted(PACKAGE.glob("*.py"))}
    public = next(ast.literal_eval(node.value) for node in modules["__init__"].body
                  if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__")
    found = {node.name: node for tree in modules.values() for node in documented(tree.body)}
    classes = {node.name: node for tree in modules.values() for node in tree.body if isinstance(node, ast.ClassDef)}
    pieces = ["# Python module\n", "Generated from the docstrings of src/python/costab by `make docs`. [Python](../how-to/python.md) shows how to use it.\n"]
    for heading, kind in (("Functions", ast.FunctionDef), ("Classes", ast.ClassDef)):
        pieces.append(f"## {heading}\n")
        for name in public:
            if isinstance(found.get(name), kind):
                pieces += describe(found[name], f"costab.{name}", classes)
    pieces.append("## The planar test system\n")
    for node in documented(modules["planar"].body):
        pieces += describe(node, f"costab.planar.{node.name}", classes)
    print("\n".join(pieces), end="")


main()
