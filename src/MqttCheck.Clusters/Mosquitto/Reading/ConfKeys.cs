using System.Collections.Frozen;

namespace MqttCheck.Clusters.Mosquitto.Reading;

/// <summary>
/// The keys of mosquitto.conf(5) of Mosquitto 2.0.11 and of the versions up to 2.1. Scopes and ranges are those of
/// what Mosquitto 2.0.11 takes; those of later keys follow its change log and its page.
/// </summary>
internal static class ConfKeys
{
    private static readonly Version s_v2021 = new(2, 0, 21);
    private static readonly Version s_v21 = new(2, 1);

    private static readonly FrozenDictionary<string, ConfKey[]> s_byName = All()
        .GroupBy(key => key.Name, StringComparer.Ordinal)
        .ToFrozenDictionary(keys => keys.Key, keys => keys.ToArray(), StringComparer.Ordinal);

    /// <summary>
    /// The version whose verdicts the reader follows. Settings of later ones are taken and remembered.
    /// </summary>
    public static Version Followed { get; } = new(2, 0, 11);

    /// <summary>The names, without those that end in the name of an option of a plugin.</summary>
    public static IEnumerable<string> Names => s_byName.Keys;

    /// <summary>
    /// The meanings of a word as a key, the oldest first; none where it is unknown. A later version takes more values.
    /// </summary>
    public static IReadOnlyList<ConfKey> Find(string word) =>
        s_byName.TryGetValue(word, out var keys) ? keys
        : ConfSecrets.IsPluginOption(word) ? [new(word, ConfScope.Plugin, ConfKind.Any) { IsSecret = true }]
        : [];

    /// <summary>The version that has a setting; null for the one that is followed and those before it.</summary>
    public static Version? Since(ConfLine line) =>
        Find(line.Key) is { Count: > 0 } keys
            ? (keys.FirstOrDefault(key => key.Kind.Read(line.Value) is not null) ?? keys[0]).Since
            : null;

    private static IEnumerable<ConfKey> All() =>
        [.. Openings(), .. Globals(), .. Logs(), .. Security(), .. Listeners(), .. Bridges(), .. Later()];

    private static IEnumerable<ConfKey> Openings() =>
        Of(ConfScope.Opening, ConfKind.Any, "include_dir", "listener", "connection");

    private static IEnumerable<ConfKey> Globals() =>
        [
            .. Of(
                ConfScope.Global,
                ConfKind.Flag,
                "allow_duplicate_messages",
                "autosave_on_changes",
                "per_listener_settings",
                "persistence",
                "queue_qos0_messages",
                "retain_available",
                "set_tcp_nodelay",
                "upgrade_outgoing_qos"
            ),
            Alias("retained_persistence", "persistence", ConfScope.Global, ConfKind.Flag),
            .. Of(
                ConfScope.Global,
                ConfKind.Text,
                "clientid_prefixes",
                "persistence_file",
                "persistence_location",
                "pid_file",
                "user"
            ),
            .. Of(
                ConfScope.Global,
                ConfKind.Integer(),
                "autosave_interval",
                "max_inflight_bytes",
                "max_queued_bytes",
                "max_queued_messages"
            ),
            .. Of(ConfScope.Global, ConfKind.Integer(0, ushort.MaxValue), "sys_interval", "websockets_headers_size"),
            .. Of(ConfScope.Global, ConfKind.Integer(int.MinValue, ushort.MaxValue), "max_inflight_messages"),
            .. Of(ConfScope.Global, ConfKind.Integer(10, ushort.MaxValue), "max_keepalive"),
            .. Of(ConfScope.Global, ConfKind.Integer(20), "max_packet_size"),
            .. Of(ConfScope.Global, ConfKind.Integer(0, long.MaxValue), "memory_limit"),
            .. Of(ConfScope.Global, ConfKind.Integer(0, 268_435_455), "message_size_limit"),
            .. Of(ConfScope.Global, ConfKind.Duration("hdwmy"), "persistent_client_expiration"),
            .. Of(ConfScope.Global, ConfKind.Any, "retry_interval"),
        ];

    private static IEnumerable<ConfKey> Logs() =>
        [
            .. Of(ConfScope.Global, ConfKind.Flag, "connection_messages", "log_timestamp"),
            .. Of(ConfScope.Global, ConfKind.Text, "log_timestamp_format"),
            .. Of(ConfScope.Global, ConfKind.Integer(), "websockets_log_level"),
            .. Of(ConfScope.Global, ConfKind.Integer(0, 7), "log_facility"),
            .. Of(ConfScope.Global, ConfValues.LogDestination, "log_dest"),
            .. Of(
                ConfScope.Global,
                ConfKind
                    .OneOf(
                        "none",
                        "information",
                        "notice",
                        "warning",
                        "error",
                        "debug",
                        "subscribe",
                        "unsubscribe",
                        "internal",
                        "websockets",
                        "all"
                    )
                    .OrNone(),
                "log_type"
            ),
        ];

    private static IEnumerable<ConfKey> Security() =>
        [
            .. Of(
                ConfScope.Security,
                ConfKind.Flag,
                "allow_anonymous",
                "allow_zero_length_clientid",
                "check_retain_source"
            ),
            .. Of(ConfScope.Security, ConfKind.Text, "acl_file", "auto_id_prefix", "password_file", "psk_file"),
            .. Of(ConfScope.Security, ConfKind.Text with { IsOnce = false }, "plugin", "auth_plugin"),
            .. Of(ConfScope.Plugin, ConfKind.Flag, "auth_plugin_deny_special_chars"),
        ];

    private static IEnumerable<ConfKey> Listeners() =>
        [
            .. Of(ConfScope.DefaultListener, ConfKind.Integer(1, ushort.MaxValue), "port"),
            .. Of(ConfScope.DefaultListener, ConfKind.Text, "bind_address"),
            .. Of(
                ConfScope.Listener,
                ConfKind.Text,
                "bind_interface",
                "capath",
                "ciphers",
                "ciphers_tls1.3",
                "crlfile",
                "dhparamfile",
                "http_dir",
                "keyfile",
                "psk_hint",
                "tls_engine",
                "tls_version"
            ),
            .. Of(ConfScope.Listener, ConfKind.Text, "cafile", "certfile")
                .Select(key => key with { Excludes = ["psk_hint"] }),
            .. Of(ConfScope.Listener, ConfValues.MountPoint, "mount_point"),
            .. Of(ConfScope.Listener, ConfKind.Text with { IsOnce = false }, "tls_keyform"),
            Secret(new("tls_engine_kpass_sha1", ConfScope.Listener, ConfValues.Sha1)),
            .. Of(
                ConfScope.Listener,
                ConfKind.Flag,
                "require_certificate",
                "use_identity_as_username",
                "use_subject_as_username",
                "use_username_as_clientid"
            ),
            .. Of(ConfScope.Listener, ConfKind.Integer().OrNone(), "max_connections"),
            .. Of(ConfScope.Listener, ConfKind.Integer(0, 2), "max_qos"),
            Alias("maximum_qos", "max_qos", ConfScope.Listener, ConfKind.Integer(0, 2)),
            .. Of(ConfScope.Listener, ConfKind.Integer(0, ushort.MaxValue), "max_topic_alias"),
            .. Of(ConfScope.Listener, ConfKind.OneOf("mqtt", "websockets").OrNone(), "protocol"),
            .. Of(ConfScope.Listener, ConfKind.OneOf("ipv4", "ipv6"), "socket_domain"),
        ];

    private static IEnumerable<ConfKey> Bridges() =>
        [
            .. Of(ConfScope.Bridge, ConfKind.Any, "topic", "address"),
            Alias("addresses", "address", ConfScope.Bridge, ConfKind.Any),
            .. Of(
                ConfScope.Bridge,
                ConfKind.Flag,
                "bridge_attempt_unsubscribe",
                "bridge_insecure",
                "bridge_outgoing_retain",
                "bridge_require_ocsp",
                "cleansession",
                "local_cleansession",
                "notifications",
                "notifications_local_only",
                "round_robin",
                "try_private"
            ),
            .. Of(
                ConfScope.Bridge,
                ConfKind.Text,
                "bridge_alpn",
                "bridge_bind_address",
                "bridge_tls_version",
                "local_clientid",
                "local_username",
                "notification_topic",
                "remote_clientid",
                "remote_username"
            ),
            .. Of(
                    ConfScope.Bridge,
                    ConfKind.Text,
                    "bridge_cafile",
                    "bridge_capath",
                    "bridge_certfile",
                    "bridge_keyfile"
                )
                .Select(key => key with { Excludes = ["bridge_identity", "bridge_psk"] }),
            WithoutCertificate(new("bridge_identity", ConfScope.Bridge, ConfKind.Text)),
            Secret(WithoutCertificate(new("bridge_psk", ConfScope.Bridge, ConfKind.Text))),
            Secret(new("remote_password", ConfScope.Bridge, ConfKind.Text)),
            Secret(Alias("password", "remote_password", ConfScope.Bridge, ConfKind.Text)),
            Secret(new("local_password", ConfScope.Bridge, ConfKind.Text)),
            Alias("clientid", "remote_clientid", ConfScope.Bridge, ConfKind.Text),
            Alias("username", "remote_username", ConfScope.Bridge, ConfKind.Text),
            .. Of(ConfScope.Bridge, ConfKind.Integer(), "bridge_max_packet_size", "idle_timeout", "threshold"),
            .. Of(ConfScope.Bridge, ConfKind.Integer(int.MinValue, ushort.MaxValue), "keepalive_interval"),
            .. Of(ConfScope.Bridge, ConfValues.Restart, "restart_timeout"),
            .. Of(ConfScope.Bridge, ConfKind.OneOf("automatic", "lazy", "once"), "start_type"),
            .. Of(ConfScope.Bridge, ConfValues.Protocol, "bridge_protocol_version"),
        ];

    private static IEnumerable<ConfKey> Later() =>
        [
            .. Of(ConfScope.Global, ConfKind.OneOf("0"), "max_keepalive")
                .Select(key => key with { Since = new(2, 0, 13) }),
            .. Of(ConfScope.Global, ConfKind.Integer(1), "retain_expiry_interval")
                .Select(key => key with { Since = s_v2021 }),
            .. (
                (ConfKey[])
                    [
                        .. Of(ConfScope.Global, ConfKind.Flag, "enable_control_api"),
                        .. Of(ConfScope.Global, ConfKind.Integer(), "global_max_clients", "global_max_connections"),
                        .. Of(ConfScope.Global, ConfKind.Integer(0, ushort.MaxValue), "packet_buffer_size"),
                        .. Of(
                            ConfScope.Global,
                            ConfKind.Integer(),
                            "packet_max_auth",
                            "packet_max_connect",
                            "packet_max_simple",
                            "packet_max_sub"
                        ),
                        .. Of(ConfScope.Global, ConfKind.Duration("s"), "persistent_client_expiration"),
                        .. Of(ConfScope.Global, ConfKind.Word, "global_plugin", "plugin_load"),
                        .. Of(
                            ConfScope.Listener,
                            ConfKind.Flag,
                            "disable_client_cert_date_checks",
                            "listener_allow_anonymous",
                            "proxy_protocol_v2_require_tls"
                        ),
                        .. Of(ConfScope.Listener, ConfKind.Text, "listener_auto_id_prefix"),
                        .. Of(
                            ConfScope.Listener,
                            ConfKind.Word,
                            "accept_protocol_versions",
                            "plugin_use",
                            "websockets_origin"
                        ),
                        .. Of(ConfScope.Listener, ConfKind.Integer(1, 2), "enable_proxy_protocol"),
                        .. Of(ConfScope.Listener, ConfKind.Integer(0, ushort.MaxValue), "max_topic_alias_broker"),
                        .. Of(ConfScope.Listener, ConfKind.OneOf("http_api"), "protocol"),
                        .. Of(ConfScope.Bridge, ConfKind.Flag, "bridge_tls_use_os_certs"),
                        .. Of(ConfScope.Bridge, ConfKind.Text, "bridge_ciphers", "bridge_ciphers_tls1.3"),
                        .. Of(ConfScope.Bridge, ConfKind.Integer(0, ushort.MaxValue), "bridge_max_topic_alias"),
                        .. Of(ConfScope.Bridge, ConfKind.Integer(1, ushort.MaxValue), "bridge_receive_maximum"),
                        .. Of(
                            ConfScope.Bridge,
                            ConfKind.Integer(0),
                            "bridge_session_expiry_interval",
                            "bridge_tcp_user_timeout"
                        ),
                        .. Of(ConfScope.Bridge, ConfKind.Integer(1), "bridge_tcp_keepalive"),
                        .. Of(ConfScope.Bridge, ConfKind.OneOf("immediate", "lazy"), "bridge_reload_type"),
                    ]
            ).Select(key => key with { Since = s_v21 }),
        ];

    private static IEnumerable<ConfKey> Of(ConfScope scope, ConfKind kind, params string[] names) =>
        names.Select(name => new ConfKey(name, scope, kind));

    private static ConfKey Alias(string name, string means, ConfScope scope, ConfKind kind) =>
        new(name, scope, kind) { Means = means };

    private static ConfKey Secret(ConfKey key) => key with { IsSecret = true };

    private static ConfKey WithoutCertificate(ConfKey key) =>
        key with
        {
            Excludes = ["bridge_cafile", "bridge_capath", "bridge_certfile", "bridge_keyfile"],
        };
}
