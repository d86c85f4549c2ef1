using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace MqttCheck.Tests.Architecture;

/// <summary>One C# file of the repository, or one that a test made up.</summary>
/// <param name="Path">Its path from the root of the repository, with slashes.</param>
/// <param name="Text">Its text.</param>
internal sealed record SourceFile(string Path, string Text)
{
    private readonly Lazy<SyntaxNode> _syntax = new(() => CSharpSyntaxTree.ParseText(Text).GetRoot());

    public SyntaxNode Syntax => _syntax.Value;

    /// <summary>The folder that holds the file.</summary>
    public string Folder => Path[..Path.LastIndexOf('/')];

    /// <summary>The project that the file belongs to, such as MqttCheck.Brokers.</summary>
    public string Project => Path.Split('/')[1];

    /// <summary>The first folder below the project; empty for a file of the project's own folder.</summary>
    public string Room => Path.Split('/') is { Length: > 3 } parts ? parts[2] : "";
}
