import { QueryClientProvider } from "@tanstack/react-query";
import { Router } from "wouter";
import { queryClient } from "../api/query-client.ts";
import { Messages } from "../parts/messages.tsx";
import { Gate } from "./gate.tsx";
import { Shell } from "./shell.tsx";

/** The whole page: who is not signed in sees the sign-in, everybody else the screens. */
export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <Router base="/console">
        <Gate>
          <Shell />
        </Gate>
        <Messages />
      </Router>
    </QueryClientProvider>
  );
}
