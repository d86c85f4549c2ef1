using System.Globalization;
using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Scenarios;

/// <summary>The words of one line behind its command; each is taken once.</summary>
internal sealed class ScenarioWords(string line, string where, string name, IEnumerable<string> words)
{
    private readonly List<string> _left = [.. words];

    public string Name { get; } = name;

    public InputException Wrong(string what) => new($"{where}: '{line}': {what}.");

    public string First(string what)
    {
        if (_left.Count == 0)
            throw Wrong($"{what} is missing");
        var first = _left[0];
        _left.RemoveAt(0);
        return first;
    }

    public bool Flag(string flag) => _left.Remove(flag);

    /// <summary>A flag of a line whose other words may be anything: it counts as the last word only.</summary>
    public bool LastFlag(string flag)
    {
        if (_left.Count == 0 || _left[^1] != flag)
            return false;
        _left.RemoveAt(_left.Count - 1);
        return true;
    }

    public T? OneOf<T>(string key, IReadOnlyCollection<(string Text, T Value)> choices)
        where T : struct
    {
        if (Value(key) is not { } value)
            return null;
        foreach (var (text, choice) in choices)
            if (text == value)
                return choice;
        throw Wrong(
            $"{key}={value} is not allowed; allowed are {string.Join(", ", choices.Select(choice => choice.Text))}"
        );
    }

    public ReasonCode? Code(string key, IEnumerable<ReasonCode> codes) =>
        OneOf(key, [.. codes.Select(code => (((int)code).ToString(CultureInfo.InvariantCulture), code))]);

    public string? Value(string key)
    {
        var found = _left.Find(word => word.StartsWith(key + "=", StringComparison.Ordinal));
        if (found is null)
            return null;
        _left.Remove(found);
        return found[(key.Length + 1)..];
    }

    public uint? Number(string key, uint maximum)
    {
        if (Value(key) is not { } value)
            return null;
        if (uint.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out var number) && number <= maximum)
            return number;
        throw Wrong(
            string.Create(CultureInfo.InvariantCulture, $"{key}={value} is not allowed; allowed is 0 .. {maximum}")
        );
    }

    public int Milliseconds()
    {
        var word = First("a time such as 1500ms");
        if (
            word.EndsWith("ms", StringComparison.Ordinal)
            && int.TryParse(word[..^2], NumberStyles.None, CultureInfo.InvariantCulture, out var number)
            && number is > 0 and <= WaitCommand.Longest
        )
            return number;
        throw Wrong(
            string.Create(
                CultureInfo.InvariantCulture,
                $"'{word}' is not allowed; allowed is 1ms .. {WaitCommand.Longest}ms"
            )
        );
    }

    public QualityOfService Qos(string value) =>
        value switch
        {
            "0" => QualityOfService.AtMostOnce,
            "1" => QualityOfService.AtLeastOnce,
            "2" => QualityOfService.ExactlyOnce,
            _ => throw Wrong($"QoS {value} is not allowed; allowed is 0 .. 2"),
        };

    public string[] Rest()
    {
        if (_left.Count == 0)
            throw Wrong("a filter is missing");
        var rest = _left.ToArray();
        _left.Clear();
        return rest;
    }

    public void End()
    {
        if (_left.Count > 0)
            throw Wrong($"'{_left[0]}' is not understood");
    }
}
