using MqttCheck.Clusters.Topologies.Systems;
using MqttCheck.Json;

namespace MqttCheck.Clusters.Topologies.Files;

/// <summary>The keys of nodes that run already: how to log in, how to speak TLS, and commands for faults.</summary>
internal static class RunningFormat
{
    private static readonly JsonKind<string> s_variable = JsonKinds.TextWhere(
        "the name of an environment variable: letters, digits and _, no digit first",
        name =>
            name.Length > 0
            && !char.IsAsciiDigit(name[0])
            && name.All(letter => char.IsAsciiLetterOrDigit(letter) || letter == '_')
    );

    private static readonly JsonKind<string> s_filled = JsonKinds.TextWhere("a text", text => text.Length > 0);

    private static readonly JsonKind<string> s_command = JsonKinds.TextWhere(
        "a command line, with {node}, {host} and {port} where they are needed",
        text => text.Trim().Length > 0
    );

    private static readonly string[] s_keys =
    [
        "user",
        "userVariable",
        "passwordVariable",
        "caFile",
        "serverName",
        "clientCert",
        "clientKey",
    ];

    // A path is beside the file that names it.
    private static readonly JsonKind<string> s_path = s_filled with
    {
        Read = (tree, findings) =>
            s_filled.Read(tree, findings) is { Length: > 0 } path
                ? Path.Combine(Path.GetDirectoryName(findings.Source) ?? "", path)
                : "",
    };

    /// <summary>How clients log in at a node, and how they speak TLS with it.</summary>
    /// <param name="fields">The keys of the node.</param>
    /// <param name="settings">The same keys, as far as they belong to a system.</param>
    public static NodeAccess Access(JsonFields<TopologyNode> fields, SystemFields<TopologyNode> settings)
    {
        fields.Never(
            "password",
            "a password given; allowed: passwordVariable with the name of an environment variable, because files are "
                + "shown and shared"
        );
        var access = new NodeAccess
        {
            User = Of("user", s_filled, of => of.User),
            UserVariable = Of("userVariable", s_variable, of => of.UserVariable),
            PasswordVariable = Of("passwordVariable", s_variable, of => of.PasswordVariable),
            CaFile = Of("caFile", s_path, of => of.CaFile),
            ServerName = Of("serverName", s_filled, of => of.ServerName),
            ClientCert = Of("clientCert", s_path, of => of.ClientCert),
            ClientKey = Of("clientKey", s_path, of => of.ClientKey),
        };
        fields.Exclude("userVariable", "user", "given beside user; allowed: one of them");
        foreach (var key in s_keys)
            fields.Refuse(
                key,
                fields.Reader?.Tree.Member("address") is null,
                _ => "given without address; allowed: for a broker that runs already"
            );
        fields.Refuse("clientKey", access.ClientCert is null, _ => "given without clientCert; allowed: beside it");
        return access;

        string? Of(string key, JsonKind<string> kind, Func<NodeAccess, string?> get) =>
            settings.Of<string?>(
                key,
                kind!,
                of => get(of.Access),
                null,
                ClusterSystem.Running,
                ClusterSystem.MosquittoBridge
            );
    }

    /// <summary>The commands for faults, by their keys.</summary>
    /// <param name="settings">The keys of a node, or of all nodes.</param>
    /// <param name="get">The commands that are written.</param>
    /// <param name="usual">The commands where a key is missing.</param>
    public static IReadOnlyDictionary<string, string> Commands<T>(
        SystemFields<T> settings,
        Func<T, IReadOnlyDictionary<string, string>> get,
        IReadOnlyDictionary<string, string> usual
    )
    {
        var commands = new Dictionary<string, string>();
        foreach (var key in NodeCommands.Keys)
        {
            var command = settings.Of<string?>(
                key,
                s_command!,
                of => get(of).GetValueOrDefault(key),
                usual.GetValueOrDefault(key),
                ClusterSystem.Running
            );
            if (command is not null)
                commands[key] = command;
        }
        return commands.Count > 0 ? commands : NodeCommands.None;
    }
}
