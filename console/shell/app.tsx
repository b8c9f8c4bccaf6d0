import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "react-aria-components";
import { Router, useLocation } from "wouter";
import { queryClient } from "../api/query-client.ts";
import { Messages } from "../parts/messages.tsx";
import { Gate } from "./gate.tsx";
import { Shell } from "./shell.tsx";

/** The whole page: who is not signed in sees the sign-in, everybody else the screens. */
export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <Router base="/console">
        <Navigation>
          <Gate>
            <Shell />
          </Gate>
          <Messages />
        </Navigation>
      </Router>
    </QueryClientProvider>
  );
}

/** Lets the accessible parts navigate as links do. */
function Navigation({ children }: { readonly children: React.ReactNode }) {
  const [, navigate] = useLocation();
  return <RouterProvider navigate={(to) => navigate(to)}>{children}</RouterProvider>;
}
