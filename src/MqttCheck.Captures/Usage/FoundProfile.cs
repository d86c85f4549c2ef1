using System.Text.Encodings.Web;
using System.Text.Json;
using MqttCheck.Captures.Populations;
using MqttCheck.Profiles;
using MqttCheck.Text;
using static System.FormattableString;

namespace MqttCheck.Captures.Usage;

/// <summary>The profile of the clients of a log, and an account of it.</summary>
internal sealed class FoundProfile
{
    private static readonly JsonWriterOptions s_readable = new()
    {
        Indented = true,
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    };

    private readonly FoundPopulation _found;
    private readonly Pseudonyms _words;
    private readonly List<string> _limits = [];
    private readonly byte[]? _bytes;

    /// <summary>Makes the profile.</summary>
    /// <param name="found">The clients.</param>
    /// <param name="keepsNames">Whether names of topics are written as they are.</param>
    public FoundProfile(FoundPopulation found, bool keepsNames)
    {
        _found = found;
        _words = new(keepsNames);
        var names = new TopicNames(found.Groups, _words);
        var groups = new List<ClientGroup>();
        foreach (var group in found.Groups)
        {
            var profile = new GroupProfile(group, names, _words);
            groups.Add(new(group.Name, group.Clients.Count, profile.Make()));
            _limits.AddRange(profile.Limits.Select(limit => $"{group.Name}: {limit}"));
        }
        if (groups.Count == 0)
            return;
        var population = new Population
        {
            Name = "captured",
            Description = Invariant($"{found.Clients} clients as they were seen for {found.Seconds:0.#} s"),
            Groups = groups,
        };
        try
        {
            // A name or number that no profile may have makes none of all.
            _bytes = Written(population);
            Population = ProfileFile.Parse(_bytes, "profile");
        }
        catch (InputException refused)
        {
            _bytes = null;
            _limits.Add($"anything, because no profile can say it: {refused.Message.Split('\n')[0]}");
        }
    }

    /// <summary>The groups with their profiles; null if no profile can say what was seen.</summary>
    public Population? Population { get; }

    /// <summary>The account for a person.</summary>
    public IEnumerable<string> Lines()
    {
        yield return Invariant($"population: {_found.Clients} clients in {_found.Groups.Count} groups");
        foreach (var group in _found.Groups)
            yield return $"  {Printable.Text(GroupText.Of(group, _words))}";
        foreach (var limit in _limits)
            yield return $"not in the profile: {Printable.Text(limit)}";
    }

    /// <summary>Writes the profile file beside a model or a log, as a new one.</summary>
    /// <param name="path">The path of the model or log.</param>
    /// <returns>The path of the profile file, or null without a profile.</returns>
    public string? WriteBeside(string path)
    {
        if (_bytes is null)
            return null;
        var name = Path.ChangeExtension(path, null);
        var file = $"{name}.profile.json";
        for (var number = 2; File.Exists(file); number++)
            file = Invariant($"{name}.profile-{number}.json");
        AtomicFile.Write(file, _bytes);
        return file;
    }

    private static byte[] Written(Population population)
    {
        using var bytes = new MemoryStream();
        using (var writer = new Utf8JsonWriter(bytes, s_readable))
            ProfileFile.Write(writer, population);
        return bytes.ToArray();
    }
}
