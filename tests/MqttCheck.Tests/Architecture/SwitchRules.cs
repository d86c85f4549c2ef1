using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace MqttCheck.Tests.Architecture;

/// <summary>
/// A switch over an enumeration of ours names every value that it serves, and throws for others. A value that is added
/// later is then not taken for one of the old ones.
/// </summary>
internal static class SwitchRules
{
    /// <summary>Switches whose default gives a value.</summary>
    /// <param name="files">The files, with the declarations of the enumerations.</param>
    /// <param name="open">Enumerations of bytes that others send: values without a name come, and are served.</param>
    public static IEnumerable<string> ForgivingDefaults(IReadOnlyList<SourceFile> files, params string[] open)
    {
        var enumerations = files
            .SelectMany(file => file.Syntax.DescendantNodes().OfType<EnumDeclarationSyntax>())
            .Select(declaration => declaration.Identifier.Text)
            .Except(open)
            .ToHashSet();
        return from file in files
            from node in file.Syntax.DescendantNodes()
            let patterns = Patterns(node).ToList()
            where
                patterns.Exists(pattern => IsOf(pattern, enumerations))
                && patterns.TrueForAll(pattern => IsOf(pattern, enumerations) || IsNull(pattern))
                && HasForgivingDefault(node)
            let line = node.SyntaxTree.GetLineSpan(node.Span).StartLinePosition.Line + 1
            select $"{file.Path}:{line} the default of the switch gives a value";
    }

    // The patterns that a switch compares with, those of its default left out; a pattern with a name has a condition.
    private static IEnumerable<SyntaxNode> Patterns(SyntaxNode node) =>
        node switch
        {
            SwitchExpressionSyntax expression => expression
                .Arms.Select(arm => arm.Pattern)
                .Where(pattern => pattern is not DiscardPatternSyntax)
                .SelectMany(Parts),
            SwitchStatementSyntax statement => statement
                .Sections.SelectMany(section => section.Labels)
                .SelectMany(label =>
                    label switch
                    {
                        CaseSwitchLabelSyntax one => [one.Value],
                        CasePatternSwitchLabelSyntax { Pattern: not VarPatternSyntax } one => Parts(one.Pattern),
                        _ => [],
                    }
                ),
            _ => [],
        };

    private static IEnumerable<SyntaxNode> Parts(PatternSyntax pattern) =>
        pattern switch
        {
            BinaryPatternSyntax binary => Parts(binary.Left).Concat(Parts(binary.Right)),
            ParenthesizedPatternSyntax inner => Parts(inner.Pattern),
            ConstantPatternSyntax constant => [constant.Expression],
            _ => [pattern],
        };

    private static bool IsOf(SyntaxNode node, HashSet<string> enumerations) =>
        node is MemberAccessExpressionSyntax { Expression: var type }
        && enumerations.Contains(type is MemberAccessExpressionSyntax outer ? outer.Name.Identifier.Text : $"{type}");

    private static bool IsNull(SyntaxNode node) => node.IsKind(SyntaxKind.NullLiteralExpression);

    private static bool HasForgivingDefault(SyntaxNode node) =>
        node switch
        {
            SwitchExpressionSyntax expression => expression.Arms.Any(arm =>
                arm is { Pattern: DiscardPatternSyntax, WhenClause: null, Expression: not ThrowExpressionSyntax }
            ),
            SwitchStatementSyntax statement => statement
                .Sections.Where(section => section.Labels.Any(label => label is DefaultSwitchLabelSyntax))
                .SelectMany(section => section.Statements)
                .Any(one => one is ReturnStatementSyntax { Expression: not null }),
            _ => false,
        };
}
