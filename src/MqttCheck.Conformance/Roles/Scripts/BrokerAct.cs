using System.Globalization;
using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Roles.Scripts;

/// <summary>A line of a broker's part: what it does next with the client under test.</summary>
/// <param name="Verb">One of <see cref="BrokerVerbs"/>.</param>
/// <param name="Words">What follows it: <c>name</c> or <c>name=value</c>, as <see cref="BrokerVerbs"/> allows.</param>
internal sealed record BrokerAct(string Verb, ValueList<string> Words)
{
    /// <summary>A line of one word.</summary>
    public static BrokerAct Plain(string verb) => new(verb, []);

    /// <summary>Whether a word stands there.</summary>
    public bool Has(string word) => Words.Contains(word);

    /// <summary>The number behind <c>name=</c>; null without.</summary>
    public int? Number(string name)
    {
        foreach (var word in Words)
            if (word.StartsWith(name + "=", StringComparison.Ordinal))
                return int.Parse(word.AsSpan(name.Length + 1), CultureInfo.InvariantCulture);
        return null;
    }

    /// <summary>The line.</summary>
    public override string ToString() => string.Join(' ', Words.Prepend(Verb));
}
