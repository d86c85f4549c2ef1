using MqttCheck.Clusters.Topologies.Bridges;
using MqttCheck.Text;

namespace MqttCheck.Clusters.Mosquitto.Reading;

/// <summary>
/// Reads the lines of one file. A listener, a bridge or a plugin that is open at its end is not open in the next file.
/// </summary>
/// <param name="reading">What is known of the configuration.</param>
internal sealed class ConfFile(ConfReading reading)
{
    private ConfBlock? _listener;
    private ConfBlock? _bridge;
    private bool _hasPlugin;
    private bool _isAfterSecret;
    private bool _hasEnginePassword;

    /// <summary>Reads a line; what is wrong with it is noted.</summary>
    /// <param name="place">The line.</param>
    /// <param name="word">Its first word, each byte as one character.</param>
    /// <param name="rest">What follows the word and one blank.</param>
    public void Read(ConfPlace place, string word, string rest)
    {
        var isAfterSecret = _isAfterSecret;
        _isAfterSecret = ConfSecrets.IsMeant(word);
        var keys = ConfKeys.Find(word);
        if (keys.Count == 0)
            reading.Refuse(place, ConfSecrets.Unknown(word, rest, isAfterSecret));
        else if (!keys[0].IsSecret && ConfSecrets.AreInside(word, rest))
            reading.Refuse(
                place,
                $"{word}: the key of a secret stands in the line, which is not shown; allowed: one key in a line; "
                    + "break the line before it"
            );
        else if (Problem(place, keys, rest) is { } problem)
            reading.Refuse(place, $"{ConfSecrets.Shown(word)}: {problem}");
    }

    private string? Problem(ConfPlace place, IReadOnlyList<ConfKey> keys, string rest)
    {
        var key = keys[0];
        if (key.Scope == ConfScope.Opening)
            return Open(place, key.Name, rest);
        if (key.Scope == ConfScope.Bridge && _bridge is null)
            return "it belongs to a bridge, and there is none above it; allowed: below a line 'connection NAME'";
        if (key.Scope == ConfScope.Plugin && !_hasPlugin)
            return "it belongs to a plugin, and there is none above it; allowed: below a line 'plugin PATH'";
        if (key.Name == "mount_point" && reading.Listeners.Count == 0)
            return "there is no listener above it; allowed: below a line 'listener PORT'";
        var block = Block(key.Scope, place);
        if (key.Kind.IsOnce && block.Has(key.Means))
            return "it is set before; allowed: once"
                + (block == reading.Broker ? "" : $" below {block.Place}")
                + "; take one of the lines away";
        if (block.Has(key.Excludes))
            return $"it is not allowed with {string.Join(", ", key.Excludes.Where(other => block.Has(other)))}; "
                + "use certificates or a pre-shared key, not both";
        var taking = keys.FirstOrDefault(one => one.Kind.Read(rest) is not null);
        if (taking is null)
            return $"{Given(key, rest)}; allowed: {string.Join("; ", keys.Select(one => one.Kind.Allowed))}";
        return OwnProblem(place, key, rest, block) ?? Note(place, taking, rest, block);
    }

    // Keys whose values mean more than a text.
    private string? OwnProblem(ConfPlace place, ConfKey key, string rest, ConfBlock block) =>
        key.Means switch
        {
            "address" => AddAddresses(place, rest, block),
            "topic" => AddTopic(place, rest, block),
            "log_dest" when ConfKind.First(rest) == "file" && block.Has("log_dest file") =>
                "file: it is set before; allowed: once; take one of the lines away",
            "tls_engine_kpass_sha1" when _hasEnginePassword =>
                "another listener of this file has one; allowed: once in a file; write the listeners into two files",
            "per_listener_settings" when reading.HasSecurity && key.Kind.Read(rest) == "true" =>
                "a setting of security stands above it; write it before them all",
            _ when key.Scope == ConfScope.Plugin && key.IsSecret => OptionProblem(key.Name, rest),
            _ => null,
        };

    private string? Note(ConfPlace place, ConfKey key, string rest, ConfBlock block)
    {
        var value = key.Kind.Read(rest)!;
        reading.HasSecurity |= key.Scope == ConfScope.Security;
        _hasEnginePassword |= key.Name == "tls_engine_kpass_sha1";
        _hasPlugin |= key.Name is "plugin" or "auth_plugin" or "global_plugin" or "plugin_load" or "plugin_use";
        block.Set(
            key is { Means: "log_dest" } && value == "file" ? "log_dest file" : key.Means,
            key.IsSecret ? "" : value
        );
        AddLine(
            new(place, ConfSecrets.Shown(key.Name), key.IsSecret ? "" : ConfKind.Decoded(rest).Trim()),
            key.Since,
            block
        );
        return null;
    }

    private void AddLine(ConfLine line, Version? since, ConfBlock? block)
    {
        reading.Lines.Add(line);
        block?.Lines.Add(line);
        if (since is not null)
            reading.NewerLines.Add(line);
    }

    private ConfBlock Block(ConfScope scope, ConfPlace place) =>
        scope switch
        {
            ConfScope.Bridge => _bridge!,
            ConfScope.DefaultListener => reading.OpenDefaultListener(place),
            ConfScope.Listener => _listener ?? reading.OpenDefaultListener(place),
            ConfScope.Security when reading.Broker.Flag("per_listener_settings", false) => _listener
                ?? reading.OpenDefaultListener(place),
            ConfScope.Global or ConfScope.Security or ConfScope.Plugin => reading.Broker,
            _ => throw new InvalidOperationException($"No block has settings of {scope}."),
        };

    private string? Open(ConfPlace place, string key, string rest)
    {
        var words = ConfKind.Words(ConfKind.Decoded(rest));
        var line = new ConfLine(place, key, string.Join(' ', words));
        if (key == "include_dir")
        {
            // An included file includes no others; the line does nothing.
            AddLine(line, null, null);
            return null;
        }
        var problem = key == "connection" ? OpenBridge(place, words) : OpenListener(place, words);
        AddLine(line, null, key == "connection" ? _bridge : _listener);
        return problem;
    }

    private string? OpenBridge(ConfPlace place, string[] words)
    {
        var name = words.FirstOrDefault() ?? "";
        var earlier = reading.Bridges.Find(bridge => bridge.Name == name);
        // The lines below it are read all the same, so that they make no other findings.
        _bridge = new(place, name);
        if (name.Length == 0)
            return "no value; allowed: a name, such as 'connection site'";
        if (earlier is not null)
            return $"the name '{Printable.Value(name)}' is that of the connection at {earlier.Place}; "
                + "allowed: another name";
        reading.Bridges.Add(_bridge);
        return null;
    }

    private string? OpenListener(ConfPlace place, string[] words)
    {
        var port = ConfKind.Atoi(words.FirstOrDefault() ?? "");
        var host = words.ElementAtOrDefault(1) is { } word && !word.StartsWith('#') ? word : null;
        _listener = new(place, host) { Port = Math.Clamp(port, 0, ushort.MaxValue) };
        reading.Listeners.Add(_listener);
        if (words.Length == 0)
            return "no value; allowed: a port, such as 'listener 1883'";
        if (port is < 0 or > ushort.MaxValue)
            return $"'{Printable.Value(words[0])}' is no port; allowed: 0 to 65535";
        return port == 0 && host is null
            ? $"'{Printable.Value(words[0])}' has port 0 and no path; allowed: a port of 1 to 65535, or '0 PATH' for a "
                + "socket in the file system"
            : null;
    }

    private static string? AddAddresses(ConfPlace place, string rest, ConfBlock bridge)
    {
        if (bridge.Addresses.Count > 0)
            return $"the bridge has one at {bridge.Addresses[0].Place}; allowed: all of them in one line, "
                + "'address HOST:PORT HOST:PORT'";
        var words = ConfKind.Words(ConfKind.Decoded(rest)).TakeWhile(word => !word.StartsWith('#')).ToList();
        if (words.Count == 0)
            return "no value; allowed: HOST:PORT, several of them separated by blanks";
        foreach (var word in words)
        {
            var colon = word.LastIndexOf(':');
            var port = colon < 0 ? 1883 : ConfKind.Atoi(word[(colon + 1)..]);
            if (port is < 1 or > ushort.MaxValue)
                return $"'{Printable.Value(word)}' has no port of 1 to 65535 behind its last colon; allowed: "
                    + "HOST:PORT, also for an address of IPv6";
            bridge.Addresses.Add(new(place, colon < 0 ? word : word[..colon], port));
        }
        return null;
    }

    private static string? AddTopic(ConfPlace place, string rest, ConfBlock bridge)
    {
        if (!BridgeTopic.TryRead(ConfValues.TopicWords(rest), out var topic, out var problem))
            return $"'{Printable.Value(ConfKind.Decoded(rest).Trim())}': {problem}; allowed: "
                + "PATTERN [out|in|both [QOS [LOCAL-PREFIX [REMOTE-PREFIX]]]], such as '# both 1'";
        bridge.Topics.Add(new(place, topic));
        return null;
    }

    // Mosquitto asks for three letters behind auth_opt_ and plugin_opt_.
    private static string? OptionProblem(string key, string rest) =>
        key[(key.IndexOf("_opt_", StringComparison.Ordinal) + 5)..].Length < 3
            ? "the name of the option is too short; allowed: three letters or more"
        : rest.Trim(' ', '\t').Length == 0 ? "no value; allowed: any, which is not shown"
        : null;

    private static string Given(ConfKey key, string rest) =>
        ConfKind.First(rest).Length == 0 ? "no value"
        : key.IsSecret ? "the value, which is not shown, is refused"
        : $"'{Printable.Value(ConfKind.Decoded(rest).Trim())}' is refused";
}
