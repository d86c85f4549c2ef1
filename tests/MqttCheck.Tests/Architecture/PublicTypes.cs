using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace MqttCheck.Tests.Architecture;

/// <summary>
/// A type is public only if a user calls it: a page or a sample names it, it belongs to an assembly that tests refer
/// to, or the signature of a public type needs it.
/// </summary>
internal static partial class PublicTypes
{
    /// <summary>Public types that no user needs.</summary>
    /// <param name="files">The product.</param>
    /// <param name="api">Projects whose public types are there for users.</param>
    /// <param name="pages">Pages for users, whose code names types.</param>
    /// <param name="samples">Code that shows how the product is used.</param>
    public static IEnumerable<string> Unneeded(
        IReadOnlyList<SourceFile> files,
        IReadOnlyList<string> api,
        IEnumerable<string> pages,
        IEnumerable<string> samples
    )
    {
        var declared = files
            .SelectMany(file =>
                file.Syntax.DescendantNodes().OfType<MemberDeclarationSyntax>().Select(type => (file, type))
            )
            .Where(pair => pair.type is BaseTypeDeclarationSyntax or DelegateDeclarationSyntax && IsPublic(pair.type))
            .ToLookup(pair => NameOf(pair.type));
        var named = samples
            .SelectMany(text => Word().Matches(text))
            .Concat(pages.SelectMany(page => Code().Matches(page)).SelectMany(code => Word().Matches(code.Value)))
            .Select(word => word.Value);
        var ofApi = declared.Where(type => type.Any(pair => api.Contains(pair.file.Project))).Select(type => type.Key);
        var needed = new HashSet<string>();
        var open = new Stack<string>(named.Concat(ofApi));
        while (open.TryPop(out var name))
            if (needed.Add(name))
                foreach (var other in declared[name].SelectMany(pair => Signature(pair.type)))
                    open.Push(other);
        return from type in declared
            where !needed.Contains(type.Key)
            select $"{type.First().file.Path}: {type.Key} is public, and no page, sample or public type names it";
    }

    // The names in what others see of a type: its bases, constraints, parameters and public members, without bodies.
    private static IEnumerable<string> Signature(MemberDeclarationSyntax type) =>
        type.DescendantNodes(node =>
                node
                    is not (
                        BlockSyntax
                        or ArrowExpressionClauseSyntax
                        or EqualsValueClauseSyntax
                        or AttributeListSyntax
                    )
                && (node == type || node is not MemberDeclarationSyntax member || IsPublic(member))
            )
            .OfType<SimpleNameSyntax>()
            .Select(name => name.Identifier.Text)
            .Concat(type.Ancestors().OfType<BaseTypeDeclarationSyntax>().Select(outer => outer.Identifier.Text));

    // A member of an interface is public without the word.
    private static bool IsPublic(MemberDeclarationSyntax member) =>
        member.Parent is InterfaceDeclarationSyntax
        || (
            (member.Modifiers.Any(SyntaxKind.PublicKeyword) || member.Modifiers.Any(SyntaxKind.ProtectedKeyword))
            && member.Ancestors().OfType<BaseTypeDeclarationSyntax>().All(IsPublic)
        );

    private static string NameOf(MemberDeclarationSyntax type) =>
        type is DelegateDeclarationSyntax function
            ? function.Identifier.Text
            : ((BaseTypeDeclarationSyntax)type).Identifier.Text;

    // A block of C#, or a name between backticks; a path names a file.
    [GeneratedRegex(
        @"```(csharp|cs)\b.*?```|(?<!`)`[^`\n/]+`(?!`)",
        RegexOptions.Singleline | RegexOptions.ExplicitCapture
    )]
    private static partial Regex Code();

    [GeneratedRegex(@"\b[A-Z]\w+")]
    private static partial Regex Word();
}
