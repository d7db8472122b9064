"""MkDocs hook: one site from docs/, the Markdown files of the repository's root and Doxygen's
pages.

Pages link to each other and to source files by paths in the repository, as a reader of the
repository sees them. The hook turns these into paths in the site. It copies source files that a
page links to into the folder `source`. Links that lead nowhere remain, and `mkdocs build --strict`
reports them.
"""

import logging
import posixpath
import re
from pathlib import Path
from urllib.parse import unquote

from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parent.parent.parent
ROOT_PAGES = ["ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "RELEASING.md", "CHANGELOG.md"]
ASSETS = {".md", ".svg", ".png", ".css"}
API = ROOT / "build/docs/html"
LINK = re.compile(r"(\]\()([^)#\s]+)(#[^)\s]*)?(\))")
log = logging.getLogger("mkdocs.hook")
anchors, references = {}, []  # {page: its anchors}; (page, page it links to, anchor)
FENCE = re.compile(r"^(```|~~~)")


def on_config(config):
    """Adds the API reference to the section Reference where Doxygen has written it."""
    for section in config["nav"]:
        if "Reference" in section and (API / "index.html").exists():
            section["Reference"].insert(0, {"C++ API": "api/index.html"})
    return config


def on_files(files, config):
    for file in list(files):
        ours = file.abs_src_path.startswith(str(ROOT))
        if ours and Path(file.src_uri).suffix not in ASSETS:
            files.remove(file)
    for name in ROOT_PAGES:
        files.append(File(name, str(ROOT), config["site_dir"], config["use_directory_urls"]))
    if (API / "index.html").exists():
        for path in sorted(API.rglob("*")):
            if path.is_file():
                name = f"api/{path.relative_to(API)}"
                file = File(name, str(API), config["site_dir"], config["use_directory_urls"])
                file.abs_src_path = str(path)
                files.append(file)
    for file in list(files):
        if file.is_documentation_page():
            for line, code in lines_of(Path(file.abs_src_path).read_text()):
                for match in [] if code else LINK.finditer(line):
                    add_source(target(file.src_uri, match[2]), files, config)
    return files


def on_page_markdown(markdown, page, config, files):
    here = posixpath.dirname(page.file.src_uri)

    def rewritten(match):
        path = target(page.file.src_uri, match[2])
        uri = site_uri(path)
        if uri is None or files.get_file_from_path(uri) is None:
            return match[0]
        return match[1] + posixpath.relpath(uri, here or ".") + (match[3] or "") + match[4]

    return "\n".join(line if code else LINK.sub(rewritten, line) for line,
                     code in lines_of(markdown))


def lines_of(text):
    """(line, whether it is code) for each line."""
    fenced = False
    for line in text.split("\n"):
        fence = FENCE.match(line.lstrip())
        yield line, fenced or bool(fence)
        fenced ^= bool(fence)


def target(src_uri, link):
    """The path in the repository that a link of a page names; None for one that leaves it."""
    if "://" in link or link.startswith(("mailto:", "/")):
        return None
    folder = "" if src_uri in ROOT_PAGES else posixpath.join("docs", posixpath.dirname(src_uri))
    return posixpath.normpath(posixpath.join(folder, link))


def site_uri(path):
    """Where the site has a file of the repository."""
    if path is None:
        return None
    if path == "README.md":
        return "README.md"  # the site's own first page
    if (ROOT / path).is_dir():
        path += "/README.md"
    if path in ROOT_PAGES:
        return path
    if path.startswith("docs/"):
        return path[len("docs/"):]
    return f"source/{path}.txt"  # shown by browsers, not downloaded


def add_source(path, files, config):
    uri = site_uri(path)
    if uri is None or not uri.startswith("source/") or not (ROOT / path).is_file():
        return
    if files.get_file_from_path(uri) is None:
        file = File(uri, str(ROOT), config["site_dir"], config["use_directory_urls"])
        file.abs_src_path = str(ROOT / path)
        files.append(file)


def on_nav(nav, config, files):
    """Every page belongs to a section: one without is an error under --strict."""
    listed = {page.file.src_uri for page in nav.pages}
    for file in files.documentation_pages():
        if file.src_uri not in listed:
            log.warning("%s is in no section of mkdocs.yml", file.src_uri)
    return nav


def on_post_page(output, page, config):
    """Remembers the anchors of each page, and where links with one lead."""
    here = page.file.dest_uri
    anchors[here] = set(re.findall(r'\bid="([^"]+)"', output))
    for href in re.findall(r'href="([^"]*#[^"]+)"', output):
        path, anchor = href.split("#", 1)
        if "://" not in path:
            where = posixpath.normpath(posixpath.join(posixpath.dirname(here),
                                                      path)) if path else here
            references.append((page.file.src_uri, where, unquote(anchor)))
    return output


def on_post_build(config):
    for source, where, anchor in references:
        if where in anchors and anchor not in anchors[where]:
            log.warning("%s links to %s, which has no heading #%s", source, where, anchor)
