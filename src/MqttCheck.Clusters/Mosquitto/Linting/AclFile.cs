namespace MqttCheck.Clusters.Mosquitto.Linting;

/// <summary>A file of access rights, as <c>acl_file</c> in mosquitto.conf(5).</summary>
internal sealed class AclFile
{
    private readonly List<AclLine> _lines = [];

    /// <summary>The rights of its lines, in their order.</summary>
    public IReadOnlyList<AclLine> Lines => _lines;

    /// <summary>Reads a file; null if there is none that can be read.</summary>
    /// <param name="path">The path, from the folder that Mosquitto is started in.</param>
    /// <param name="folder">The folder of the configuration, as a second place for it.</param>
    public static AclFile? Read(string path, string folder)
    {
        var found = ((string[])[path, Path.Combine(folder, path)]).FirstOrDefault(File.Exists);
        if (found is null)
            return null;
        try
        {
            return Parse(File.ReadAllLines(found), found);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <summary>Reads lines. What is no right is left out: Mosquitto names it when it starts.</summary>
    public static AclFile Parse(IEnumerable<string> lines, string path)
    {
        var (file, user) = (new AclFile(), (string?)null);
        foreach (var (index, text) in lines.Index())
        {
            var words = text.Trim().Split(' ', 2, StringSplitOptions.TrimEntries);
            if (words.Length < 2 || text.StartsWith('#'))
                continue;
            if (words[0] == "user")
                user = words[1];
            else if (words[0] is "topic" or "pattern")
                file._lines.Add(Line(new ConfPlace(path, index + 1), words[0] == "pattern", user, words[1]));
        }
        return file;
    }

    /// <summary>
    /// Whether no topic of a filter may be used by a client. Only a right for some of its topics says that one may.
    /// </summary>
    /// <param name="user">The user's name; null for none.</param>
    /// <param name="client">The client identifier; null where it is not known.</param>
    /// <param name="filter">The topics.</param>
    /// <param name="isWrite">Whether it publishes them.</param>
    public bool Denies(string? user, string? client, string filter, bool isWrite) =>
        !_lines.Exists(line => line.Grants(user, client, filter, isWrite));

    private static AclLine Line(ConfPlace place, bool isPattern, string? user, string rest)
    {
        var words = rest.Split(' ', 2, StringSplitOptions.TrimEntries);
        return words.Length == 2 && words[0] is "read" or "write" or "readwrite" or "deny"
            ? new AclLine(place, isPattern, user, words[0], words[1])
            : new AclLine(place, isPattern, user, "readwrite", rest);
    }
}
