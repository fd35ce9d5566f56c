import { useEffect, useState } from 'react';

const typingMs = 300;

/** Debounces a value: returns it once it has not changed for `ms`. */
export function useSettled<T>(value: T, ms = typingMs): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
