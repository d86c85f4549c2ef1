using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace MqttCheck.Tests.Architecture;

/// <summary>
/// The names of code in a page: what stands between backticks and reads like a path, a type or a member.
/// </summary>
/// <param name="files">The files whose types and members there are.</param>
/// <param name="exists">Whether there is a file or folder at a path from the root.</param>
internal sealed partial class DocumentedNames(IReadOnlyList<SourceFile> files, Func<string, bool> exists)
{
    private readonly HashSet<string> _paths = [.. files.SelectMany(file => Prefixes(file.Path)).SelectMany(Suffixes)];

    // Each type with its members, enumerators too; parts of a type are one.
    private readonly ILookup<string, string> _members = files
        .SelectMany(file => file.Syntax.DescendantNodes().OfType<BaseTypeDeclarationSyntax>())
        .SelectMany(type => Members(type).Prepend("").Select(member => (Type: type.Identifier.Text, Member: member)))
        .ToLookup(pair => pair.Type, pair => pair.Member);

    /// <summary>The names that nothing has.</summary>
    /// <param name="page">The text of the page.</param>
    public IEnumerable<string> Unknown(string page) =>
        Quoted().Matches(page).Select(match => match.Groups[1].Value).Where(IsCode).Distinct().Where(IsUnknown);

    // Commands, options and values are in small letters or have spaces.
    private static bool IsCode(string text) => Path().IsMatch(text) || Name().IsMatch(text);

    private bool IsUnknown(string text)
    {
        if (Path().IsMatch(text) || text.StartsWith("MqttCheck.", StringComparison.Ordinal))
            return !exists(text) && !exists($"src/{text}") && !_paths.Contains(text);
        var parts = text.Split('(')[0].Split('.');
        return parts is [var type, var member]
            ? !_members[type].Contains(member)
            : !_members.Contains(text) && !_paths.Contains(text) && !_members.Any(one => one.Contains(parts[0]));
    }

    private static IEnumerable<string> Members(BaseTypeDeclarationSyntax type) =>
        type switch
        {
            EnumDeclarationSyntax enumeration => enumeration.Members.Select(member => member.Identifier.Text),
            TypeDeclarationSyntax { ParameterList: { } list } listed => Names(listed)
                .Concat(list.Parameters.Select(parameter => parameter.Identifier.Text)),
            TypeDeclarationSyntax other => Names(other),
            _ => [],
        };

    private static IEnumerable<string> Names(TypeDeclarationSyntax type) =>
        type.Members.SelectMany(member =>
            member switch
            {
                MethodDeclarationSyntax method => [method.Identifier.Text],
                PropertyDeclarationSyntax property => [property.Identifier.Text],
                BaseFieldDeclarationSyntax field => field.Declaration.Variables.Select(one => one.Identifier.Text),
                _ => (IEnumerable<string>)[],
            }
        );

    // A file with the folders that hold it.
    private static IEnumerable<string> Prefixes(string path)
    {
        for (; path.Contains('/', StringComparison.Ordinal); path = path[..path.LastIndexOf('/')])
            yield return path;
    }

    // A page may leave out the folders in front.
    private static IEnumerable<string> Suffixes(string path)
    {
        yield return path;
        while (path.IndexOf('/', StringComparison.Ordinal) is >= 0 and var slash)
            yield return path = path[(slash + 1)..];
    }

    [GeneratedRegex(@"(?<!`)`([^`\n]+)`")]
    private static partial Regex Quoted();

    [GeneratedRegex(@"^[\w.-]*/[\w./-]+$|^\w+\.(cs|ts|md)$")]
    private static partial Regex Path();

    [GeneratedRegex(@"^(s_|[A-Z])\w*[a-z]\w*(\.\w+)?(\(\w*\))?$")]
    private static partial Regex Name();
}
