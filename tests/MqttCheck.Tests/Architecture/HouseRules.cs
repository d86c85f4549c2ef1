using System.Text.Json;
using System.Text.RegularExpressions;
using System.Xml.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace MqttCheck.Tests.Architecture;

/// <summary>The rules of the house. Each takes source files and returns one line for each violation.</summary>
internal static partial class HouseRules
{
    /// <summary>A comment with this word in front of a method says why it is longer than others.</summary>
    public const string HotLoop = "Hot loop:";

    /// <summary>A room uses only rooms that stand before it in the order of its assembly.</summary>
    public static IEnumerable<string> RoomsOutOfOrder(IEnumerable<SourceFile> files, string project, string[] order)
    {
        foreach (var file in files.Where(file => file.Project == project && file.Room != ""))
        {
            var place = Array.IndexOf(order, file.Room);
            if (place < 0)
            {
                yield return $"{file.Path}: the room {file.Room} has no place in the order of {project}";
                continue;
            }
            foreach (var used in UsedNamespaces(file).Select(name => RoomOf(name, project)).Distinct())
                if (Array.IndexOf(order, used) > place)
                    yield return $"{file.Path} uses {used}, which comes after {file.Room}";
        }
    }

    /// <summary>A project refers to the projects that it may refer to, and no others.</summary>
    public static IEnumerable<string> ForbiddenReferences(
        string project,
        string projectFile,
        IReadOnlyDictionary<string, string[]> allowed
    )
    {
        if (!allowed.TryGetValue(project, out var names))
            return [$"{project} is not in the list of assemblies"];
        return XDocument
            .Parse(projectFile)
            .Descendants("ProjectReference")
            .Select(reference =>
                Path.GetFileNameWithoutExtension(reference.Attribute("Include")!.Value.Replace('\\', '/'))
            )
            .Where(used => !names.Contains(used))
            .Select(used => $"{project} refers to {used}");
    }

    /// <summary>
    /// A project restores nothing that has one of some words in its name: no package, project or framework, by itself
    /// or by what it refers to.
    /// </summary>
    /// <param name="project">The project.</param>
    /// <param name="read">The text of a project's file; its lock file names every package that it restores.</param>
    /// <param name="words">The words.</param>
    public static IEnumerable<string> Restored(
        string project,
        Func<string, string, string> read,
        params string[] words
    ) =>
        References(project, read)
            .Concat(
                JsonDocument
                    .Parse(read(project, "packages.lock.json"))
                    .RootElement.GetProperty("dependencies")
                    .EnumerateObject()
                    .SelectMany(framework => framework.Value.EnumerateObject(), (_, package) => package.Name)
            )
            .Where(name => words.Any(word => name.Contains(word, StringComparison.OrdinalIgnoreCase)))
            .Distinct(StringComparer.OrdinalIgnoreCase)
            .Select(name => $"{project} restores {name}");

    // The projects and frameworks that a project refers to, by itself or by others.
    private static IEnumerable<string> References(string project, Func<string, string, string> read)
    {
        var file = XDocument.Parse(read(project, project + ".csproj"));
        var projects = file.Descendants("ProjectReference")
            .Select(reference => Path.GetFileNameWithoutExtension(reference.Attribute("Include")!.Value));
        return
        [
            .. file.Descendants("FrameworkReference").Select(reference => reference.Attribute("Include")!.Value),
            .. projects.SelectMany(one => References(one, read).Prepend(one)),
        ];
    }

    /// <summary>A folder holds few enough files to be read at a glance.</summary>
    public static IEnumerable<string> FullFolders(IEnumerable<SourceFile> files, int most) =>
        files
            .GroupBy(file => file.Folder)
            .Where(folder => folder.Count() > most)
            .Select(folder => $"{folder.Key} holds {folder.Count()} files");

    /// <summary>A namespace is the path of its folder.</summary>
    public static IEnumerable<string> MisplacedNamespaces(IEnumerable<SourceFile> files) =>
        from file in files
        from declaration in file.Syntax.DescendantNodes().OfType<BaseNamespaceDeclarationSyntax>()
        let wanted = string.Join('.', file.Folder.Split('/').Skip(1))
        where declaration.Name.ToString() != wanted
        select $"{file.Path}: namespace {declaration.Name} instead of {wanted}";

    /// <summary>A simple type name means one thing. Parts of a partial type count as one type.</summary>
    public static IEnumerable<string> RepeatedTypeNames(IEnumerable<SourceFile> files) =>
        files
            .SelectMany(file =>
                OuterTypes(file)
                    .Where(type => !type.Modifiers.Any(SyntaxKind.FileKeyword))
                    .Select(type => (Name: type.Identifier.Text, Place: file.Folder))
            )
            .GroupBy(type => type.Name)
            .Where(name => name.Select(type => type.Place).Distinct().Count() > 1)
            .Select(name =>
                $"{name.Key} is declared in {string.Join(" and ", name.Select(type => type.Place).Distinct())}"
            );

    /// <summary>
    /// A line fits the screen. A document that stands in the code, in a raw or verbatim string, keeps its own lines.
    /// </summary>
    public static IEnumerable<string> LongLines(IEnumerable<SourceFile> files, int columns) =>
        from file in files
        where file.Text.Length > columns
        from line in file.Syntax.GetText().Lines
        let length = line.End - line.Start
        where length > columns && !IsInDocument(file.Syntax.FindToken(line.Start + columns))
        select $"{file.Path}:{line.LineNumber + 1} has {length} columns";

    /// <summary>A method fits the screen, unless a comment marks it as a hot loop.</summary>
    public static IEnumerable<string> LongMethods(IEnumerable<SourceFile> files, int lines) =>
        from file in files
        from body in file
            .Syntax.DescendantNodes()
            .Where(node =>
                node is BaseMethodDeclarationSyntax or LocalFunctionStatementSyntax or AccessorDeclarationSyntax
            )
        let span = body.SyntaxTree.GetLineSpan(body.Span)
        let length = span.EndLinePosition.Line - span.StartLinePosition.Line + 1
        where length > lines && !body.GetLeadingTrivia().ToFullString().Contains(HotLoop, StringComparison.Ordinal)
        select $"{file.Path}:{span.StartLinePosition.Line + 1} {NameOf(body)} has {length} lines";

    /// <summary>Nobody calls a tool's types, so none is public.</summary>
    public static IEnumerable<string> PublicTypes(IEnumerable<SourceFile> files) =>
        from file in files
        from type in file.Syntax.DescendantNodes().OfType<BaseTypeDeclarationSyntax>()
        where type.Parent is not BaseTypeDeclarationSyntax && type.Modifiers.Any(SyntaxKind.PublicKeyword)
        select $"{file.Path}: {type.Identifier.Text} is public";

    /// <summary>Sockets, processes and the console belong to other assemblies than the library.</summary>
    public static IEnumerable<string> InputAndOutput(IEnumerable<SourceFile> files) =>
        files
            .Where(file => Forbidden().IsMatch(file.Text))
            .Select(file => $"{file.Path}: {Forbidden().Match(file.Text).Value}");

    /// <summary>
    /// Strings name installed brokers only where brokers are started, so that a new one is added in one place.
    /// Comments may give examples.
    /// </summary>
    public static IEnumerable<string> BrokerNames(IEnumerable<SourceFile> files, params string[] homes) =>
        from file in files
        where !homes.Any(home => (file.Folder + "/").StartsWith(home + "/", StringComparison.Ordinal))
        from token in file.Syntax.DescendantTokens()
        where
            token.Kind()
                is SyntaxKind.StringLiteralToken
                    or SyntaxKind.InterpolatedStringTextToken
                    or SyntaxKind.Utf8StringLiteralToken
                    or SyntaxKind.SingleLineRawStringLiteralToken
                    or SyntaxKind.MultiLineRawStringLiteralToken
        let name = BrokerName().Match(token.Text).Value
        where name.Length > 0
        select $"{file.Path} names the broker {name}";

    /// <summary>A command ends with a conclusion; which exit code that is, is said where the tool begins.</summary>
    public static IEnumerable<string> ExitCodes(IEnumerable<SourceFile> files) =>
        files
            .Where(file => file.Project == "MqttCheck.Cli" && file.Room != "" && ExitCode().IsMatch(file.Text))
            .Select(file => $"{file.Path} decides on {ExitCode().Match(file.Text).Value}");

    /// <summary>
    /// Nothing decides by reading a sentence: no search, comparison or pattern has words that a person reads. A name, a
    /// key or a word of a format is one word.
    /// </summary>
    public static IEnumerable<string> DecisionsByText(IEnumerable<SourceFile> files) =>
        from file in files
        from literal in file.Syntax.DescendantNodes().OfType<LiteralExpressionSyntax>()
        where Sentence().IsMatch(literal.Token.ValueText) && IsDecision(literal.Parent!)
        let line = literal.SyntaxTree.GetLineSpan(literal.Span).StartLinePosition.Line + 1
        select $"{file.Path}:{line} decides by the words \"{literal.Token.ValueText}\"";

    private static bool IsDecision(SyntaxNode use) =>
        use
            is ConstantPatternSyntax
                or CaseSwitchLabelSyntax
                or BinaryExpressionSyntax
                {
                    RawKind: (int)SyntaxKind.EqualsExpression or (int)SyntaxKind.NotEqualsExpression
                }
                or ArgumentSyntax
                {
                    Parent.Parent: InvocationExpressionSyntax
                    {
                        Expression: MemberAccessExpressionSyntax
                        {
                            Name.Identifier.Text: "Contains" or "StartsWith" or "EndsWith" or "IndexOf" or "Equals",
                        },
                    },
                };

    /// <summary>
    /// The types of rooms with rules that other projects use. An enumeration is the word of an answer, and no rule.
    /// </summary>
    /// <param name="rooms">The folders of the rooms.</param>
    /// <param name="answers">Types of these rooms by which an answer is given.</param>
    public static IEnumerable<string> UsedRules(
        IReadOnlyCollection<SourceFile> files,
        IEnumerable<string> projects,
        IEnumerable<string> rooms,
        params string[] answers
    )
    {
        var rules = TypesOf(files, rooms, type => type is not EnumDeclarationSyntax, answers);
        return from file in files.Where(file => projects.Contains(file.Project))
            from name in file
                .Syntax.DescendantTokens()
                .Where(token => token.IsKind(SyntaxKind.IdentifierToken) && rules.Contains(token.Text))
                .Select(token => token.Text)
                .Distinct()
            select $"{file.Path} uses {name}";
    }

    /// <summary>
    /// The work that a project does instead of leaving it to others: it makes an object of a class of some rooms, or
    /// calls a method of one. Reading and writing a text is no work of a room.
    /// </summary>
    /// <param name="rooms">The folders of the rooms.</param>
    /// <param name="catalogues">Classes in which something is looked up.</param>
    public static IEnumerable<string> OwnWork(
        IReadOnlyCollection<SourceFile> files,
        string project,
        IEnumerable<string> rooms,
        params string[] catalogues
    )
    {
        var engines = TypesOf(files, rooms, type => type is ClassDeclarationSyntax, catalogues);
        return from file in files.Where(file => file.Project == project)
            from node in file.Syntax.DescendantNodes()
            let engine = node switch
            {
                ObjectCreationExpressionSyntax { Type: SimpleNameSyntax made } => made.Identifier.Text,
                InvocationExpressionSyntax
                {
                    Expression: MemberAccessExpressionSyntax { Expression: SimpleNameSyntax called } method
                } when method.Name.Identifier.Text is not ("Read" or "Write" or "Parse" or "TryParse") => called
                    .Identifier
                    .Text,
                _ => "",
            }
            where engines.Contains(engine)
            select $"{file.Path} does the work of {engine}";
    }

    /// <summary>A comment does not open with a word that leaves its sentence without a subject.</summary>
    public static IEnumerable<string> CommentsWithoutSubject(IEnumerable<SourceFile> files) =>
        from file in files
        from opening in OpeningOfComment().Matches(file.Text)
        let line = file.Text.AsSpan(0, opening.Index).Count('\n') + 1
        select $"{file.Path}:{line} opens a comment with {opening.Groups["word"].Value}";

    private static HashSet<string> TypesOf(
        IEnumerable<SourceFile> files,
        IEnumerable<string> rooms,
        Func<BaseTypeDeclarationSyntax, bool> isMeant,
        IEnumerable<string> others
    ) =>
        files
            .Where(file => rooms.Any(room => $"{file.Folder}/".StartsWith($"{room}/", StringComparison.Ordinal)))
            .SelectMany(OuterTypes)
            .Where(isMeant)
            .Select(type => type.Identifier.Text)
            .Except(others)
            .ToHashSet();

    private static IEnumerable<BaseTypeDeclarationSyntax> OuterTypes(SourceFile file) =>
        file
            .Syntax.DescendantNodes()
            .OfType<BaseTypeDeclarationSyntax>()
            .Where(type => type.Parent is not BaseTypeDeclarationSyntax);

    private static IEnumerable<string> UsedNamespaces(SourceFile file) =>
        Mentioned().Matches(file.Text).Select(match => match.Value);

    // MqttCheck.Brokers.Wire is a room of MqttCheck.Brokers, and no room of MqttCheck.
    private static string RoomOf(string name, string project) =>
        name.StartsWith(project + ".", StringComparison.Ordinal) ? name[(project.Length + 1)..].Split('.')[0] : "";

    private static bool IsInDocument(SyntaxToken token) =>
        token.Text.StartsWith("\"\"\"", StringComparison.Ordinal)
        || token.Text.StartsWith("@\"", StringComparison.Ordinal)
        || token
            .Parent!.AncestorsAndSelf()
            .OfType<InterpolatedStringExpressionSyntax>()
            .Any(text => text.StringStartToken.Text is not "$\"");

    private static string NameOf(SyntaxNode node) =>
        node switch
        {
            MethodDeclarationSyntax method => method.Identifier.Text,
            ConstructorDeclarationSyntax constructor => constructor.Identifier.Text,
            LocalFunctionStatementSyntax function => function.Identifier.Text,
            _ => node.Kind().ToString(),
        };

    [GeneratedRegex(@"\b(mosquitto|rabbitmq|ejabberd|nats|aedes)\b", RegexOptions.IgnoreCase)]
    private static partial Regex BrokerName();

    [GeneratedRegex(
        @"^[ \t]*//+[ \t]*(<summary>)?[ \t]*(?<word>Of|What|Whoever|Where) ",
        RegexOptions.Multiline | RegexOptions.ExplicitCapture
    )]
    private static partial Regex OpeningOfComment();

    [GeneratedRegex(@"\p{L}{2,} \p{L}{2,}")]
    private static partial Regex Sentence();

    [GeneratedRegex(@"\bExitCode\.(?!Of\b)\w+")]
    private static partial Regex ExitCode();

    [GeneratedRegex(@"\bMqttCheck(\.[A-Z]\w*)+")]
    private static partial Regex Mentioned();

    [GeneratedRegex(@"System\.Net\.Sockets|\bConsole\.|System\.Diagnostics\.Process\b|DllImport|LibraryImport")]
    private static partial Regex Forbidden();
}
