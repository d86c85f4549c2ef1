using MqttCheck.Conformance.Roles.Scripts;

namespace MqttCheck.Conformance.Roles.Searching;

/// <summary>Says which shorter scripts to try, and finds the shortest that shows something.</summary>
internal static class ScriptShrinker
{
    /// <summary>The parts of a script that lack one line or one word, or have a smaller number.</summary>
    public static IReadOnlyList<ScriptCut> Cuts(BrokerScript script)
    {
        List<ScriptCut> cuts = [];
        for (var line = 0; line < script.Acts.Count; line++)
        {
            cuts.Add(new(line, null));
            var act = script.Acts[line];
            foreach (var word in act.Words)
            {
                cuts.Add(new(line, act with { Words = [.. act.Words.Where(other => other != word)] }));
                if (Smaller(act.Verb, word) is { } smaller)
                    cuts.Add(
                        new(line, act with { Words = [.. act.Words.Select(other => other == word ? smaller : other)] })
                    );
            }
        }
        return [.. cuts.Where(cut => cut.Act is null || BrokerVerbs.IsWhole(cut.Act))];
    }

    /// <summary>Makes several cuts at once; of two at one line the first counts.</summary>
    public static BrokerScript Apply(BrokerScript script, IEnumerable<ScriptCut> cuts)
    {
        var byLine = cuts.GroupBy(cut => cut.Line).ToDictionary(group => group.Key, group => group.First());
        return new([
            .. script
                .Acts.ToArray()
                .Select((act, line) => byLine.TryGetValue(line, out var cut) ? cut.Act : act)
                .OfType<BrokerAct>(),
        ]);
    }

    /// <summary>Shrinks a script as long as something shows the same.</summary>
    public static async Task<BrokerScript> ShrinkAsync(
        BrokerScript script,
        Func<IReadOnlyList<BrokerScript>, Task<bool[]>> shows
    )
    {
        // The lines behind the one that shows it are of no use.
        BrokerScript[] beginnings =
        [
            .. Enumerable.Range(0, script.Acts.Count).Select(lines => new BrokerScript([.. script.Acts.Take(lines)])),
        ];
        var shownBy = Array.IndexOf(await shows(beginnings), value: true);
        if (shownBy >= 0)
            script = beginnings[shownBy];
        while (Cuts(script) is { Count: > 0 } cuts)
        {
            BrokerScript[] shorter = [.. cuts.Select(cut => Apply(script, [cut]))];
            var shown = await shows(shorter);
            ScriptCut[] good = [.. cuts.Where((_, i) => shown[i])];
            if (good.Length == 0)
                break;
            var all = Apply(script, good);
            script = good.Length > 1 && (await shows([all]))[0] ? all : shorter[Array.IndexOf(shown, value: true)];
        }
        return script;
    }

    private static string? Smaller(string verb, string word)
    {
        var name = word.Split('=')[0];
        if (name is not ("count" or "size" or "ms") || BrokerVerbs.Numbers[verb].All(number => number.Name != name))
            return null;
        var value = int.Parse(word[(name.Length + 1)..], System.Globalization.CultureInfo.InvariantCulture);
        var smaller = name == "ms" ? value - 1000 : value / 2;
        return smaller < 1 ? null : FormattableString.Invariant($"{name}={smaller}");
    }
}

/// <summary>A line that is left out, or replaced by a shorter one.</summary>
internal sealed record ScriptCut(int Line, BrokerAct? Act);
