using System.Globalization;

namespace MqttCheck.Json;

/// <summary>Collects everything that is wrong in one file, so that the user sees all of it at once.</summary>
/// <param name="source">The name of the file in messages.</param>
internal sealed class JsonFindings(string source)
{
    // More findings come of one mistake, such as another file.
    private const int MostShown = 20;

    private readonly List<string> _messages = [];

    /// <summary>The file's name in messages.</summary>
    public string Source { get; } = source;

    /// <summary>How many findings there are.</summary>
    public int Count => _messages.Count;

    /// <summary>Notes a finding.</summary>
    /// <param name="at">The value it is about.</param>
    /// <param name="what">The error, with the value given and the allowed values.</param>
    public void Add(JsonTree at, string what) => Add(at, at.Path, what);

    /// <summary>Notes a finding about a key.</summary>
    /// <param name="at">The value that gives the line.</param>
    /// <param name="key">The key, with its path.</param>
    /// <param name="what">The error, with the value given and the allowed values.</param>
    public void Add(JsonTree at, string key, string what) =>
        _messages.Add(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{Source}:{at.Line}: {(key.Length == 0 ? "" : key + ": ")}{what}"
            )
        );

    /// <summary>Adds the findings of another file that this one refers to.</summary>
    /// <param name="inner">The failure to read the other file.</param>
    public void Add(InputException inner) => _messages.Add(inner.Message);

    /// <summary>Ends the reading of the file.</summary>
    /// <exception cref="InputException">There are findings.</exception>
    public void ThrowIfAny()
    {
        IEnumerable<string> shown = _messages.Take(MostShown);
        if (_messages.Count > MostShown)
            shown = shown.Append(
                string.Create(CultureInfo.InvariantCulture, $"{Source}: {_messages.Count - MostShown} more findings")
            );
        InputException.ThrowIfAny(shown);
    }
}
