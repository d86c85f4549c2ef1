#:package Microsoft.CodeAnalysis.CSharp
#:property ManagePackageVersionsCentrally=true
#:property RestorePackagesWithLockFile=false

// Counts statements and declarations of each assembly: what is left of code without comments, blank lines and wrapping.
// Usage: scripts/statements [REVISION]
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

foreach (var folder in (string[])["src", "tests"])
{
    var trees = args.Select(tree => Count(Path.Combine(tree, folder))).ToArray();
    string[] names =
    [
        .. args.Select(tree => Path.GetFileName(tree)),
        .. args.Length > 1 ? ["growth"] : Array.Empty<string>(),
    ];
    Console.WriteLine($"| {folder} | {string.Join(" | ", names)} |");
    Console.WriteLine("|---|" + string.Concat(names.Select(_ => "---:|")));
    foreach (var assembly in trees.SelectMany(tree => tree.Keys).Distinct().Order(StringComparer.Ordinal))
        Print(assembly, [.. trees.Select(tree => tree.GetValueOrDefault(assembly))]);
    Print("all", [.. trees.Select(tree => tree.Values.Sum())]);
    Console.WriteLine();
}

static void Print(string name, int[] counts)
{
    var growth = counts.Length > 1 ? $" {counts[^1] - counts[0]:+#;-#;0} |" : "";
    Console.WriteLine($"| {name} | {string.Join(" | ", counts)} |{growth}");
}

static Dictionary<string, int> Count(string folder) =>
    Directory
        .EnumerateFiles(folder, "*.cs", SearchOption.AllDirectories)
        .Select(file => (File: file, Parts: Path.GetRelativePath(folder, file).Split('/')))
        .Where(file => !file.Parts.Any(part => part is "bin" or "obj" or "node_modules"))
        .GroupBy(file => file.Parts[0])
        .ToDictionary(files => files.Key, files => files.Sum(file => CountFile(file.File)));

// A body of one expression counts as the statement that it is.
static int CountFile(string file) =>
    CSharpSyntaxTree
        .ParseText(File.ReadAllText(file))
        .GetRoot()
        .DescendantNodes()
        .Count(node =>
            node is StatementSyntax and not BlockSyntax
            || node is MemberDeclarationSyntax and not BaseNamespaceDeclarationSyntax
            || node is ArrowExpressionClauseSyntax or SwitchExpressionArmSyntax
        );
