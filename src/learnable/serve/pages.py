"""The pages of the service: a form without scripts, and the description of its API."""

from __future__ import annotations

import html
from typing import Any

from learnable.data import Schema

MOST_CHOICES = 200
_STYLE = (
    ":root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;"
    "margin:1rem auto;padding:0 1rem}label{display:block;margin:.6rem 0}input,select{display:block;"
    "font:inherit;padding:.3rem;width:100%;max-width:26rem}"
    "button{font:inherit;padding:.4rem 1.2rem;margin:.8rem 0}table{border-collapse:collapse}"
    "td,th{text-align:left;padding:.2rem .8rem .2rem 0;border-bottom:1px solid #8886}"
    ".wide{overflow-x:auto}"
)


def form_page(schema: Schema, token: str, title: str, told: str = "") -> str:
    """Return the page with a field for each column, and an answer above it if there is one."""
    fields = "".join(_field(column) for column in schema)
    return _page(
        title,
        f'<h1>{html.escape(title)}</h1>{told}<form method="post" action="/form">'
        f'<input type="hidden" name="token" value="{html.escape(token)}">{fields}'
        '<button type="submit">Answer</button></form>'
        '<p><a href="/openapi.json">The API, for programs</a></p>',
    )


def answer_part(answer: dict[str, Any]) -> str:
    """Return an answer as markup: what, how likely, why."""
    lines = [f"<p><strong>{html.escape(str(answer['answer']))}</strong></p>"]
    if "set" in answer:
        names = ", ".join(answer["set"]) or "nothing"
        lines.append(f"<p>At least {answer['inside']:.0%} of such sets hold the truth: "
                     f"{html.escape(names)}</p>")  # fmt: skip
    if answer.get("interval"):
        low, high = answer["interval"]
        lines.append(f"<p>At least {answer['inside']:.0%} of such intervals hold the truth: "
                     f"{low:.6g} to {high:.6g}</p>")  # fmt: skip
    rows = "".join(
        f"<tr><td>{html.escape(str(label))}</td><td>{chance:.4f}</td></tr>"
        for label, chance in answer.get("chances", {}).items()
    )
    if rows:
        lines.append(
            f'<div class="wide"><table><tr><th>class</th><th>chance</th></tr>{rows}</table></div>'
        )
    reasons = "".join(
        f"<tr><td>{html.escape(str(one['column']))}</td><td>{html.escape(str(one['value']))}</td>"
        f"<td>{html.escape(one['evidence'])}</td><td>{one['weight']:+.3g}</td></tr>"
        for one in answer.get("reasons", ())
    )
    if reasons:
        head = "<tr><th>column</th><th>value</th><th>evidence</th><th>weight</th></tr>"
        lines.append(f'<h2>Why</h2><div class="wide"><table>{head}{reasons}</table></div>')
    if answer["unseen"]:
        told = ", ".join(f"{name} = {value}" for name, value in answer["unseen"].items())
        lines.append(f"<p>Never seen, so taken as missing: {html.escape(told)}</p>")
    return f'<section aria-label="Answer">{"".join(lines)}</section>'


def refusal_part(text: str) -> str:
    """Return a refusal as markup."""
    return f'<p role="alert"><strong>{html.escape(text)}</strong></p>'


def openapi(schema: Schema, title: str, version: str) -> dict[str, Any]:
    """Return the description of the API, as OpenAPI 3.1 has it."""
    properties: dict[str, Any] = {}
    for column in schema:
        if column.kind == "numeric":
            properties[column.name] = {"type": ["number", "null"]}
        else:
            one: dict[str, Any] = {"type": ["string", "null"]}
            if column.coded and len(column.values) <= MOST_CHOICES:
                one["examples"] = list(column.values)
            properties[column.name] = one
    row = {"type": "object", "properties": properties, "additionalProperties": False}
    asked = {"type": "object", "required": ["rows"],
             "properties": {"rows": {"type": "array", "items": row}}}  # fmt: skip
    told = {"description": "answers in the order of the rows",
            "content": {"application/json": {"schema": {"type": "object"}}}}  # fmt: skip
    refused = {"description": "refused, with the column, the row and a remedy"}
    return {
        "openapi": "3.1.0",
        "info": {"title": title, "version": version},
        "paths": {
            "/predict": {
                "post": {
                    "summary": "Answer rows, with chances, sets or intervals, and reasons",
                    "security": [{"token": []}],
                    "requestBody": {"required": True,
                                    "content": {"application/json": {"schema": asked}}},
                    "responses": {"200": told, "400": refused, "401": refused, "413": refused},
                }
            },
            "/health": {"get": {"summary": "Whether it answers", "responses": {"200": told}}},
        },
        "components": {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
    }  # fmt: skip


def _field(column: Any) -> str:
    name = html.escape(column.name)
    if column.coded and len(column.values) <= MOST_CHOICES:
        choices = "".join(f"<option>{html.escape(value)}</option>" for value in column.values)
        return f'<label>{name}<select name="c:{name}"><option></option>{choices}</select></label>'
    kind = "decimal" if column.kind == "numeric" else "text"
    return f'<label>{name}<input name="c:{name}" inputmode="{kind}" autocomplete="off"></label>'


def _page(title: str, body: str) -> str:
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{html.escape(title)}</title><style>{_STYLE}</style></head>"
        f"<body><main>{body}</main></body></html>\n"
    )
