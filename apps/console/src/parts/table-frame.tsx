import type { ReactNode } from 'react';

interface TableFrameProps {
  /** Tells screen readers what the table lists. */
  label: string;
  className?: string;
  children: ReactNode;
}

/** Lets a table scroll where it is wider than its place, with the keyboard too. */
export function TableFrame({ label, className = '', children }: TableFrameProps) {
  return (
    <div className={`scroll-x ${className}`} tabIndex={0} role="region" aria-label={label}>
      {children}
    </div>
  );
}
