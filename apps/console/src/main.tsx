import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/client';
import { resume } from './api/session';
import { router } from './routes';
import './style/index.css';
import { TextProvider } from './text';

void resume();
createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <TextProvider>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </TextProvider>
  </StrictMode>,
);
