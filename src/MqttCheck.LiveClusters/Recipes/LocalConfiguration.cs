using System.Globalization;
using System.Text;
using MqttCheck.Clusters.Mosquitto;
using MqttCheck.Clusters.Mosquitto.Reading;

namespace MqttCheck.LiveClusters.Recipes;

/// <summary>
/// A user's configuration of Mosquitto as it runs here: on another port, with relays in place of remote brokers, with
/// files of its own, and with logins of this run. All that decides about messages stays.
/// </summary>
/// <param name="conf">The configuration.</param>
/// <param name="logins">Who may log in.</param>
internal sealed class LocalConfiguration(MosquittoConf conf, LocalLogins logins)
{
    // A node listens here alone, keeps its files in its directory, and prints what it has to say. Relays read MQTT, so
    // that connections are not encrypted.
    private static readonly HashSet<string> s_leftOut =
    [
        "bind_address",
        "bind_interface",
        "bridge_alpn",
        "bridge_bind_address",
        "bridge_cafile",
        "bridge_capath",
        "bridge_certfile",
        "bridge_identity",
        "bridge_insecure",
        "bridge_keyfile",
        "bridge_psk",
        "bridge_require_ocsp",
        "bridge_tls_version",
        "cafile",
        "capath",
        "certfile",
        "ciphers",
        "ciphers_tls1.3",
        "clientid_prefixes",
        "crlfile",
        "dhparamfile",
        "http_dir",
        "include_dir",
        "keyfile",
        "local_password",
        "log_dest",
        "log_facility",
        "mount_point",
        "persistence_location",
        "pid_file",
        "psk_hint",
        "round_robin",
        "socket_domain",
        "tls_engine",
        "tls_engine_kpass_sha1",
        "tls_keyform",
        "tls_version",
        "user",
    ];

    // Programs and certificates that say who a client is are not here; without them everybody may come.
    private static readonly HashSet<string> s_identities =
    [
        "auth_plugin",
        "plugin",
        "psk_file",
        "require_certificate",
        "use_identity_as_username",
        "use_subject_as_username",
    ];

    private readonly bool _hasIdentities = HasIdentities(conf);
    private readonly bool _hasListenerSecurity = conf.Lines.Any(line =>
        line is { Key: "per_listener_settings", Value: "true" or "1" }
    );

    /// <summary>The keys that a run here leaves out, each once, but for those of no effect on messages.</summary>
    public static IEnumerable<string> LeftOut(MosquittoConf conf) =>
        conf
            .Lines.Where(line =>
                IsLeftOut(conf, line) && line.Key is not ("user" or "include_dir" or "log_dest" or "mount_point")
            )
            .Select(line => line.Key)
            .Distinct();

    /// <summary>The names with which the bridges of a configuration log in.</summary>
    public static IEnumerable<string> Users(MosquittoConf conf) =>
        conf.Lines.Where(line => line.Key is "remote_username" or "username").Select(line => line.Value);

    /// <summary>The text that a node starts with.</summary>
    /// <param name="port">The port at which it serves bridges and clients.</param>
    /// <param name="bridgeOf">A bridge, by its name.</param>
    /// <param name="write">Writes a file of the node, and returns its path.</param>
    /// <exception cref="InputException">An access list cannot be read.</exception>
    public string Text(int port, Func<string, LocalBridge> bridgeOf, Func<string, string, string> write)
    {
        var listener = string.Create(CultureInfo.InvariantCulture, $"listener {port} 127.0.0.1");
        // A Mosquitto started as root would switch to a user who cannot enter the directory.
        var text = new StringBuilder($"user {Environment.UserName}\n");
        var served = Served();
        if (_hasListenerSecurity)
            text.Append("per_listener_settings true\n");
        if (served is null)
            text.Append(listener).Append('\n');
        // Without a listener Mosquitto lets everybody on this machine in, and with one nobody.
        if (_hasIdentities || !conf.Lines.Any(line => line.Key is "listener" or "port" or "allow_anonymous"))
            text.Append("allow_anonymous true\n");
        var (isServed, bridge, topic) = (served is null, new LocalBridge(new(0, 0)), 0);
        foreach (var line in conf.Lines)
        {
            if (line.Key == "listener")
                isServed = line.Place == served;
            if (line.Key == "connection")
                (bridge, topic) = (bridgeOf(line.Value), 0);
            if (
                IsLeftOut(conf, line)
                || (!isServed && IsOfListener(line))
                || line.Key is "port" or "per_listener_settings"
            )
                continue;
            text.Append(
                    line.Key switch
                    {
                        "listener" => listener,
                        "address" or "addresses" => $"address {bridge.Relay}",
                        "topic" when bridge.Topics is { } topics => $"topic {topics[topic++]}",
                        "remote_username" or "username" when bridge.Login is { } login =>
                            $"remote_username {login.UserName}",
                        "remote_password" or "password" =>
                            $"remote_password {bridge.Login?.Password ?? logins.Password}",
                        "password_file" => $"password_file {write("passwords", logins.Text())}",
                        "acl_file" => $"acl_file {write("acl", logins.WithRights(line))}",
                        _ => $"{line.Key} {line.Value}",
                    }
                )
                .Append('\n');
        }
        return text.ToString();
    }

    private static bool HasIdentities(MosquittoConf conf) => conf.Lines.Any(line => s_identities.Contains(line.Key));

    private static bool IsLeftOut(MosquittoConf conf, ConfLine line) =>
        s_leftOut.Contains(line.Key)
        || s_identities.Contains(line.Key)
        || ScopeOf(line) == ConfScope.Plugin
        || (line.Key == "allow_anonymous" && HasIdentities(conf))
        || conf.NewerLines.Contains(line);

    private bool IsOfListener(ConfLine line) =>
        line.Key == "listener"
        || ScopeOf(line) is ConfScope.Listener or ConfScope.DefaultListener
        || (_hasListenerSecurity && ScopeOf(line) == ConfScope.Security);

    private static ConfScope ScopeOf(ConfLine line) => ConfKeys.Find(line.Key)[0].Scope;

    // The first listener that bridges can use serves everybody; null stands for the one that no line opens.
    private ConfPlace? Served()
    {
        var listeners = new List<ConfPlace?>();
        ConfPlace? open = null;
        if (conf.Lines.Any(line => line.Key == "port"))
            listeners.Add(null);
        foreach (var line in conf.Lines)
        {
            if (line.Key == "listener")
                listeners.Add(open = line.Place);
            if (line is { Key: "protocol", Value: "websockets" or "http_api" })
                listeners.Remove(open);
        }
        return listeners.Count > 0 ? listeners[0] : open;
    }
}
