using System.Diagnostics;
using System.Globalization;
using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Scenarios;

/// <summary>
/// The names of one run: what <c>~</c> stands for, client identifiers, payloads. Runs with different tokens do not meet
/// on a broker.
/// </summary>
/// <param name="Token">A short word of letters and digits.</param>
public sealed record ScenarioNames(string Token)
{
    // Every broker must take identifiers of 23 bytes.
    private static readonly string s_filling = new('i', 40);

    /// <summary>The common beginning of the tokens of all runs of a check.</summary>
    public string Family { get; init; } = Token;

    /// <summary>The beginning of topics, before the token: levels that end with a slash. Default: none.</summary>
    public string TopicPrefix { get; init; } = "";

    /// <summary>The topic or filter of this run.</summary>
    /// <param name="symbolic">The topic or filter as a scenario has it.</param>
    public string Topic(string symbolic) => symbolic.Replace("~", TopicPrefix + Token, StringComparison.Ordinal);

    /// <summary>A topic as a scenario has it.</summary>
    /// <param name="topic">The topic or filter of this run, or a text with some.</param>
    public string Symbolic(string topic) =>
        topic.Replace(TopicPrefix + Token, "~", StringComparison.Ordinal).Replace(Token, "~", StringComparison.Ordinal);

    /// <summary>The client identifier, of letters and digits only.</summary>
    /// <param name="client">Which client, from 0.</param>
    public string ClientId(int client) => ClientId(client, IdentifierKind.Plain);

    /// <summary>The client identifier, of letters and digits only.</summary>
    /// <param name="client">Which client, from 0.</param>
    /// <param name="kind">What it looks like.</param>
    internal string ClientId(int client, IdentifierKind kind)
    {
        var letter = (char)('A' + client);
        return kind switch
        {
            IdentifierKind.Plain => $"{Token}{letter}",
            IdentifierKind.Case => Token + Cased(client),
            IdentifierKind.Long => $"{Token}{s_filling}{letter}",
            _ => throw new UnreachableException(),
        };
    }

    // Three letters, each large or small, tell eight clients apart.
    private static string Cased(int client) =>
        string.Concat("abc".Select((letter, bit) => (client >> bit & 1) != 0 ? char.ToUpperInvariant(letter) : letter));

    /// <summary>A payload.</summary>
    /// <param name="number">Tells it from all others of the run.</param>
    /// <param name="bytes">How many bytes it is filled up to.</param>
    public Bytes Payload(int number, int bytes = 0) =>
        Bytes.FromText(string.Create(CultureInfo.InvariantCulture, $"{Token}:{number}").PadRight(bytes, '.'));

    /// <summary>Whether a payload is of this run, as far as its beginning tells.</summary>
    /// <param name="payload">The payload.</param>
    public bool IsOfThisRun(Bytes payload)
    {
        Span<byte> prefix = stackalloc byte[Token.Length + 1];
        System.Text.Encoding.ASCII.GetBytes(Token, prefix);
        prefix[^1] = (byte)':';
        return payload.Span.StartsWith(prefix);
    }
}
