import { createRoot } from "react-dom/client";
import "./style/index.css";

const root = document.getElementById("root");
if (root) createRoot(root).render(<h1>Console</h1>);
