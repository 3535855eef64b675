#!/usr/bin/env node
// Prints what the compiler of TypeScript knows about the files named on standard input, as lines of ctags JSON. It is a stricter
// judge of the JavaScript and TypeScript scanner than ctags: name it in WIKIWRIGHT_CTAGS, and the directory that holds the package
// "typescript" in NODE_PATH. It prints declarations of files, namespaces, classes and objects; what is local to a function is left
// out, but for functions that wrap a whole file.
const fs = require("fs");
const ts = require("typescript");

const files = fs.readFileSync(0, "utf8").split("\n").filter(Boolean);
const out = [];

for (const path of files) {
  const text = fs.readFileSync(path, "utf8");
  const kind = /\.tsx$/.test(path) ? ts.ScriptKind.TSX : /\.[mc]?ts$/.test(path) ? ts.ScriptKind.TS : ts.ScriptKind.JSX;
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind);
  if (file.parseDiagnostics && file.parseDiagnostics.length > 0 && process.env.TAGS_BROKEN === undefined) {
    out.push({ _type: "skip", path });
    continue;
  }
  const line = (pos) => file.getLineAndCharacterOfPosition(pos).line + 1;

  const emit = (name, kind, node, endNode) => {
    let start = node.getStart(file);
    for (const m of node.modifiers || []) {
      if (m.kind !== ts.SyntaxKind.Decorator) {
        start = m.getStart(file);
        break;
      }
      start = -1;
    }
    if (start < 0) start = (node.modifiers.find((m) => m.kind !== ts.SyntaxKind.Decorator) || node.name || node).getStart(file);
    if (node.kind === ts.SyntaxKind.ClassDeclaration && node.modifiers && node.modifiers.every((m) => m.kind === ts.SyntaxKind.Decorator)) {
      start = text.indexOf("class", node.modifiers[node.modifiers.length - 1].end);
    }
    out.push({ _type: "tag", name, path, line: line(start), kind, end: line((endNode || node).end - 1) });
  };

  const nameOf = (n) => (n ? (ts.isStringLiteral(n) || ts.isNumericLiteral(n) ? n.text : n.getText(file).replace(/\s+/g, " ")) : "default");

  const isFunction = (e) => e && (ts.isArrowFunction(e) || ts.isFunctionExpression(e));

  const members = (list, sep) => {
    for (const m of list) {
      if (ts.isConstructorDeclaration(m)) emit("constructor", "method", m);
      else if (ts.isMethodDeclaration(m) || ts.isMethodSignature(m) || ts.isGetAccessor(m) || ts.isSetAccessor(m)) emit(nameOf(m.name), "method", m);
      else if (isFunction(m.initializer)) emit(nameOf(m.name), "method", m, m.initializer);
    }
  };

  const componentMakers = /^(React\.)?(memo|forwardRef)$/;

  const value = (name, e, whole) => {
    while (e && (ts.isAsExpression(e) || ts.isSatisfiesExpression(e))) e = e.expression;
    if (e && ts.isCallExpression(e) && componentMakers.test(e.expression.getText(file))) emit(name, "function", whole);
    else if (isFunction(e)) emit(name, "function", whole, e);
    else if (e && ts.isClassExpression(e)) {
      emit(name, "class", whole, e);
      members(e.members);
    } else if (e && ts.isObjectLiteralExpression(e)) members(e.properties);
  };

  const wrapper = (e) => {
    while (ts.isParenthesizedExpression(e) || ts.isPrefixUnaryExpression(e)) e = e.expression || e.operand;
    if (!ts.isCallExpression(e)) return;
    let f = e.expression;
    while (ts.isParenthesizedExpression(f)) f = f.expression;
    if (ts.isPropertyAccessExpression(f) && f.name.text === "call") {
      f = f.expression;
      while (ts.isParenthesizedExpression(f)) f = f.expression;
    }
    if (isFunction(f) && ts.isBlock(f.body)) {
      f.body.statements.forEach(visit);
      const last = e.arguments[e.arguments.length - 1];
      if (isFunction(last) && ts.isBlock(last.body)) last.body.statements.forEach(visit);
    }
  };

  const assignment = (e, statement) => {
    const path = e.left.getText(file).replace(/\s+/g, "");
    if (!/^[\w$.]+$/.test(path)) return;
    const parts = path.split(".");
    if (parts[0] === "module") parts.shift();
    const last = parts[parts.length - 1];
    if (parts.length === 1 && parts[0] === "exports") {
      if (ts.isFunctionExpression(e.right)) emit(nameOf(e.right.name), "function", statement, e.right);
      else if (ts.isObjectLiteralExpression(e.right)) members(e.right.properties);
      else if (ts.isClassExpression(e.right)) value(nameOf(e.right.name), e.right, statement);
    } else if (parts.length === 2 && parts[0] === "exports") value(last, e.right, statement);
    else if (parts.length === 2 && parts[1] === "prototype" && ts.isObjectLiteralExpression(e.right)) members(e.right.properties);
    else if ((parts.length === 2 && !["this", "window", "self"].includes(parts[0])) || (parts.length === 3 && parts[1] === "prototype")) {
      if (isFunction(e.right)) emit(last, "function", statement, e.right);
    }
  };

  const visit = (n) => {
    if (ts.isFunctionDeclaration(n)) emit(nameOf(n.name), "function", n);
    else if (ts.isClassDeclaration(n)) {
      emit(nameOf(n.name), "class", n);
      members(n.members);
    } else if (ts.isInterfaceDeclaration(n)) {
      emit(nameOf(n.name), "interface", n);
      members(n.members);
    } else if (ts.isTypeAliasDeclaration(n)) emit(nameOf(n.name), "alias", n);
    else if (ts.isEnumDeclaration(n)) emit(nameOf(n.name), "enum", n);
    else if (ts.isModuleDeclaration(n)) {
      if (n.name.kind === ts.SyntaxKind.StringLiteral || n.parent.kind !== ts.SyntaxKind.ModuleDeclaration) {
        let name = n.name.text;
        for (let b = n.body; b && ts.isModuleDeclaration(b); b = b.body) name += "." + b.name.text;
        if (n.body) emit(name, "namespace", n);
      }
      let body = n.body;
      while (body && ts.isModuleDeclaration(body)) body = body.body;
      if (body) body.statements.forEach(visit);
    } else if (ts.isVariableStatement(n)) {
      n.declarationList.declarations.forEach((d, i) => ts.isIdentifier(d.name) && value(nameOf(d.name), d.initializer, i === 0 ? n : d));
    } else if (ts.isExportAssignment(n) && !n.isExportEquals) value("default", n.expression, n);
    else if (ts.isExpressionStatement(n)) {
      const e = n.expression;
      if (ts.isBinaryExpression(e) && e.operatorToken.kind === ts.SyntaxKind.EqualsToken) assignment(e, n);
      else wrapper(e);
    } else if (ts.isBlock(n) || ts.isCaseBlock(n)) (n.statements || []).forEach(visit);
    else if (ts.isIfStatement(n)) [n.thenStatement, n.elseStatement].filter(Boolean).forEach(visit);
    else if (ts.isTryStatement(n)) [n.tryBlock, n.catchClause && n.catchClause.block, n.finallyBlock].filter(Boolean).forEach(visit);
    else if (n.statement && !ts.isLabeledStatement(n)) visit(n.statement);
  };
  file.statements.forEach(visit);
}
process.stdout.write(out.map((t) => JSON.stringify(t)).join("\n") + "\n");
