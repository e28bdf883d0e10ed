export declare function addressBelow(path: string): string;
export declare function below(path: string): string;
export declare function prefixAt(pathname: string, prefix: string): string;
