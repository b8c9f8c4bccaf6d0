import "./style/index.css";
import { createRoot } from "react-dom/client";
import { restoreCredential } from "./access/credential.ts";
import { shareSignIn } from "./access/tabs.ts";
import { App } from "./shell/app.tsx";
import { applyTheme } from "./shell/theme.ts";

applyTheme();
restoreCredential();
shareSignIn();
const root = document.getElementById("root");
if (root) createRoot(root).render(<App />);
