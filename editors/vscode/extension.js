"use strict";
/* Starts `trellis lsp` and connects the editor to it; everything else is the server's. */
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client, status;

function start() {
  const settings = vscode.workspace.getConfiguration("trellis");
  client = new LanguageClient(
    "trellis",
    "Trellis",
    { command: settings.get("path"), args: ["lsp"] },
    {
      documentSelector: [{ scheme: "file", language: "c" }, { scheme: "file", language: "java" }],
      initializationOptions: {
        engine: settings.get("engine"),
        timeoutSeconds: settings.get("timeoutSeconds"),
        includeDirs: settings.get("includeDirs"),
        defines: settings.get("defines"),
      },
    });
  client.onNotification("trellis/status", ({ state, procedures }) => {
    const count = (verdict) => procedures.filter((p) => p.verdict === verdict).length;
    const parts = ["verified", "violated", "no-invariant", "unknown"]
      .filter(count).map((verdict) => `${count(verdict)} ${verdict}`);
    status.text = `${state === "working" ? "$(sync~spin)" : "$(beaker)"} ${parts.join(", ") || "Trellis"}`;
    status.tooltip = procedures.map((p) => `${p.name}: ${p.verdict}: ${p.text}`).join("\n");
    status.show();
  });
  return client.start();
}

exports.activate = async (context) => {
  status = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Left);
  context.subscriptions.push(status, vscode.commands.registerCommand("trellis.restart", async () => {
    await client.stop();
    await start();
  }));
  await start();
};

exports.deactivate = () => client?.stop();
