using System.Globalization;
using MqttCheck.Protocol;
using MqttCheck.Text;

namespace MqttCheck.Conformance.Roles.Scripts;

/// <summary>A broker's part against one client: lines that are played one after the other.</summary>
/// <param name="Acts">The lines.</param>
internal sealed record BrokerScript(ValueList<BrokerAct> Acts)
{
    private static readonly char[] s_lineEnds = [';', '\n'];

    /// <summary>The lines, separated by semicolons.</summary>
    public override string ToString() => string.Join("; ", Acts);

    /// <summary>Reads lines that semicolons or line ends separate; a line that begins with // is a remark.</summary>
    /// <param name="text">The lines.</param>
    /// <param name="where">The origin of the text, for messages.</param>
    /// <exception cref="InputException">A line is none of the language.</exception>
    public static BrokerScript Parse(string text, string where)
    {
        var lines = text.Split(s_lineEnds, StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries)
            .Where(line => !line.StartsWith("//", StringComparison.Ordinal));
        return new([.. lines.Select(line => ParseLine(line, where))]);
    }

    private static BrokerAct ParseLine(string line, string where)
    {
        var words = line.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        var (verb, rest) = (words[0], words[1..]);
        if (!BrokerVerbs.Flags.ContainsKey(verb))
            throw new InputException(
                $"{where}: '{Printable.Value(line)}' begins with no command of a broker; allowed: "
                    + $"{string.Join(", ", BrokerVerbs.Flags.Keys)}{NearestName.Meant(verb, BrokerVerbs.Flags.Keys)}"
            );
        foreach (var word in rest)
            Require(verb, word, where);
        var act = new BrokerAct(verb, [.. rest]);
        return BrokerVerbs.IsWhole(act)
            ? act
            : throw new InputException(
                $"{where}: '{Printable.Value(line)}' lacks a word behind '{verb}'; allowed: {Allowed(verb)}."
            );
    }

    private static void Require(string verb, string word, string where)
    {
        var isAllowed =
            verb == BrokerVerbs.Malformed
                ? HostilePackets.Names.Contains(word)
                : BrokerVerbs.Flags[verb].Contains(word)
                    || BrokerVerbs
                        .Numbers[verb]
                        .Any(number =>
                            word.StartsWith(number.Name + "=", StringComparison.Ordinal)
                            && int.TryParse(
                                word.AsSpan(number.Name.Length + 1),
                                NumberStyles.None,
                                CultureInfo.InvariantCulture,
                                out var value
                            )
                            && value >= number.Least
                            && value <= number.Most
                        );
        if (!isAllowed)
            throw new InputException(
                $"{where}: '{Printable.Value(word)}' cannot follow '{verb}'; allowed: {Allowed(verb)}."
            );
    }

    private static string Allowed(string verb)
    {
        if (verb == BrokerVerbs.Malformed)
            return string.Join(", ", HostilePackets.Names);
        var words = BrokerVerbs
            .Flags[verb]
            .Concat(
                BrokerVerbs
                    .Numbers[verb]
                    .Select(number =>
                        string.Create(
                            CultureInfo.InvariantCulture,
                            $"{number.Name}=N with N from {number.Least} to {number.Most}"
                        )
                    )
            )
            .ToList();
        return words.Count == 0 ? "nothing" : string.Join(", ", words);
    }
}
