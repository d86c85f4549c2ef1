#:package Microsoft.CodeAnalysis.CSharp
#:property ManagePackageVersionsCentrally=true
#:property RestorePackagesWithLockFile=false

// Counts statements and declarations of each assembly: what is left of code without comments, blank lines and wrapping.
// Usage: scripts/statements [REVISION]
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

var trees = args.Select(Count).ToArray();
Console.WriteLine("| assembly | " + string.Join(" | ", args.Select(tree => Path.GetFileName(tree))) + " |");
Console.WriteLine("|---|" + string.Concat(args.Select(_ => "---:|")));
foreach (var assembly in trees.SelectMany(tree => tree.Keys).Distinct().Order(StringComparer.Ordinal))
    Console.WriteLine(
        $"| {assembly} | " + string.Join(" | ", trees.Select(tree => tree.GetValueOrDefault(assembly))) + " |"
    );
Console.WriteLine("| all | " + string.Join(" | ", trees.Select(tree => tree.Values.Sum())) + " |");

static Dictionary<string, int> Count(string tree) =>
    Directory
        .EnumerateFiles(Path.Combine(tree, "src"), "*.cs", SearchOption.AllDirectories)
        .Where(file => !file.Split('/').Any(part => part is "bin" or "obj" or "node_modules"))
        .GroupBy(file => Path.GetRelativePath(Path.Combine(tree, "src"), file).Split('/')[0])
        .ToDictionary(files => files.Key, files => files.Sum(CountFile));

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
