namespace MqttCheck.Clusters.Tests.Mosquitto;

/// <summary>
/// Small files with the verdict of Mosquitto 2.0.11: 0 where it starts, the line where it says "Error found at
/// FILE:LINE", -1 where it refuses the whole without a line.
/// </summary>
internal static class ConfCases
{
    /// <summary>Files of which Mosquitto and the reader think the same.</summary>
    public static IEnumerable<TestCaseData> Alike =>
        [
            .. Lines(),
            .. Values(),
            .. Listeners(),
            .. Bridges(),
            .. Addresses(),
            .. Topics(),
            .. Security(),
            .. Wholes(),
        ];

    /// <summary>Files that the reader and later versions take, and Mosquitto 2.0.11 refuses.</summary>
    public static IEnumerable<TestCaseData> Later =>
        [
            Case("a listener's own rule for clients without a name, 2.1", 2, L, "listener_allow_anonymous true"),
            Case("a limit for all listeners, 2.1", 1, "global_max_connections 100"),
            Case("a plugin for all listeners, 2.1", 1, "global_plugin /usr/lib/plugin.so"),
            Case("versions of MQTT of a listener, 2.1", 2, L, "accept_protocol_versions 4, 5"),
            Case("a bridge's aliases of topics, 2.1", 4, C, A, T, "bridge_max_topic_alias 5"),
            Case("a bridge's session, 2.1", 4, C, A, T, "bridge_session_expiry_interval 3600"),
            Case("the age of retained messages, 2.0.21", 1, "retain_expiry_interval 60"),
            Case("no limit of the keep alive interval, 2.0.13", 1, "max_keepalive 0"),
            Case("seconds of a session, 2.1", 1, "persistent_client_expiration 90s"),
            Case("the pages of the broker, 2.1", 2, L, "protocol http_api"),
        ];

    /// <summary>Files that the reader refuses, although Mosquitto takes them.</summary>
    public static IEnumerable<TestCaseData> Stricter =>
        [
            // A line break is missing, and what follows it would be shown.
            Case("a password behind a topic", 3, C, A, "topic # both 1remote_password x", "topic b"),
            Case("a password behind a name", 4, C, A, T, "remote_username bob remote_password x"),
            Case("a key behind an address", 2, C, "address 127.0.0.1:1bridge_psk 1234", T),
            Case("an option behind a plugin", 1, "plugin opt_password x"),
            // No broker takes such a subscription, so the bridge forwards nothing.
            Case("a wildcard inside a pattern", 3, C, A, "topic a/#/b both 1"),
        ];

    private const string L = "listener {port} 127.0.0.1";
    private const string C = "connection site";
    private const string A = "address 127.0.0.1:1";
    private const string T = "topic a/# both 1";

    private static IEnumerable<TestCaseData> Lines() =>
        [
            Case("nothing", 0, ""),
            Case("comments and blanks", 0, "# a comment", "", "   ", L),
            Case("line ends of Windows", 0, "persistence false\r", "\r", "# a\r", L + "\r"),
            Case("blanks before a key", 0, "  persistence false", L),
            Case("a comment behind blanks", 1, "  # a comment", L),
            Case("a tab before a key", 1, "\tpersistence false"),
            Case("a tab behind a key", 1, "persistence\tfalse"),
            Case("an equals sign", 1, "persistence=false"),
            Case("several blanks", 0, "persistence    false   "),
            Case("words behind a truth value", 0, "persistence false # not yet"),
            Case("a mark of UTF-8", 1, "\ufeffpersistence false"),
            Case("an unknown key", 2, L, "persistance false"),
            Case("a key in capitals", 1, "Persistence false"),
            Case("a line of 3000 letters", 0, "log_timestamp_format " + new string('x', 3000)),
        ];

    private static IEnumerable<TestCaseData> Values() =>
        [
            Case("1 and 0 as truth values", 0, "persistence 0", "log_timestamp 1"),
            Case("a truth value in capitals", 1, "persistence False"),
            Case("yes as a truth value", 2, "log_timestamp true", "persistence yes"),
            Case("no truth value", 1, "persistence"),
            Case("a key twice", 0, "persistence true", "persistence false"),
            Case("a text twice", 2, "pid_file /tmp/a", "pid_file /tmp/b"),
            Case("a text without a value", 1, "pid_file"),
            Case("a text of blanks", 1, "pid_file    "),
            Case("a text with a tab", 1, "log_timestamp_format a\tb"),
            Case("a text that is no UTF-8", 1, "log_timestamp_format a\\xff"),
            Case("a text with an umlaut", 0, "log_timestamp_format \u00e4"),
            Case("a word as a number", 0, "max_queued_messages many"),
            Case("a number and letters", 0, "max_queued_messages 100k"),
            Case("no number", 1, "max_queued_messages"),
            Case("a number below 0", 0, "max_queued_messages -1"),
            Case("a short keep alive interval", 1, "max_keepalive 5"),
            Case("a keep alive interval", 0, "max_keepalive 60"),
            Case("a packet of 19 bytes", 1, "max_packet_size 19"),
            Case("65536 messages in flight", 1, "max_inflight_messages 65536"),
            Case("65535 messages in flight", 0, "max_inflight_messages 65535"),
            Case("an interval of $SYS", 1, "sys_interval 65536"),
            Case("a number that is cut to 32 bits", 0, "sys_interval 4294967297"),
            Case("a number that is cut to -1", 1, "sys_interval 99999999999999999999"),
            Case("a facility", 1, "log_facility 8"),
            Case("a size of messages below 0", 1, "message_size_limit -1"),
            Case("memory below 0", 1, "memory_limit -1"),
            Case("sessions of two weeks", 0, "persistent_client_expiration 2w"),
            Case("sessions without a unit", 1, "persistent_client_expiration 14"),
            Case("sessions of no time", 1, "persistent_client_expiration 0d"),
            Case("a destination", 0, "log_dest stdout"),
            Case("an unknown destination", 1, "log_dest printer"),
            Case("no destination", 1, "log_dest"),
            Case("an unknown type of log lines", 1, "log_type loud"),
            Case("no type of log lines", 0, "log_type"),
            Case("two files of log lines", 2, "log_dest file /tmp/a.log", "log_dest file /tmp/b.log"),
            Case("a key that is gone", 0, "retry_interval"),
            Case("an old name", 0, "retained_persistence false"),
        ];

    private static IEnumerable<TestCaseData> Listeners() =>
        [
            Case("a listener", 0, L),
            Case("a listener without a port", 1, "listener"),
            Case("a port that is too great", 1, "listener 65536 127.0.0.1"),
            Case("a port below 0", 1, "listener -1 127.0.0.1"),
            Case("a socket without a path", 1, "listener 0"),
            Case("a socket with a comment", 1, "listener 0 # a comment"),
            Case("a port that is a word", 1, "listener mqtt"),
            Case("a comment behind a host", 0, L + " # a comment"),
            Case("the old port", 0, "bind_address 127.0.0.1", "port {port}"),
            Case("the old port twice", 0, "bind_address 127.0.0.1", "port 1", "port {port}"),
            Case("the old port 0", 1, "port 0"),
            Case("the old address twice", 2, "bind_address 127.0.0.1", "bind_address 127.0.0.1"),
            Case("an unknown protocol", 2, L, "protocol amqp"),
            Case("no protocol", 0, L, "protocol"),
            Case("a quality of service of 3", 2, L, "max_qos 3"),
            Case("an old name of it", 0, L, "maximum_qos 1"),
            Case("no number of connections", 0, L, "max_connections"),
            Case("no number of aliases", 2, L, "max_topic_alias"),
            Case("a domain of sockets", 2, L, "socket_domain ipv5"),
            Case("a mount point", 0, L, "mount_point a/"),
            Case("a mount point with a wildcard", 2, L, "mount_point +/"),
            Case("a mount point without a listener", 1, "mount_point a/"),
            Case("a certificate behind a hint", 3, L, "psk_hint a", "certfile /tmp/a"),
            Case("an engine's password that is no hash", 2, L, "tls_engine_kpass_sha1 zz"),
            Case("an engine's password", 0, L, "tls_engine_kpass_sha1 a94a8fe5ccb19ba61c4c0873d391e987982fbbd3"),
            Case("a hash of 19 bytes", 2, L, "tls_engine_kpass_sha1 4a8fe5ccb19ba61c4c0873d391e987982fbbd3"),
            Case(
                "the passwords of two engines",
                4,
                L,
                "tls_engine_kpass_sha1 a94a8fe5ccb19ba61c4c0873d391e987982fbbd3",
                L,
                "tls_engine_kpass_sha1 a94a8fe5ccb19ba61c4c0873d391e987982fbbd3"
            ),
            Case("words behind a hash", 0, L, "tls_engine_kpass_sha1 a94a8fe5ccb19ba61c4c0873d391e987982fbbd3 x"),
        ];

    private static IEnumerable<TestCaseData> Bridges() =>
        [
            Case("a bridge", 0, C, A, T),
            Case("a bridge without a name", 1, "connection", A, T),
            Case("words behind a name", 0, C + " # a comment", A, T),
            Case("two bridges of one name", 4, C, A, T, C, A, T),
            Case("a topic without a bridge", 1, T),
            Case("a clean session without a bridge", 2, L, "cleansession true"),
            Case("a listener inside a bridge", 0, C, L, A, T),
            Case("a start by hand", 4, C, A, T, "start_type manual"),
            Case("a start in capitals", 4, C, A, T, "start_type Lazy"),
            Case("a version", 0, C, A, T, "bridge_protocol_version mqttv50"),
            Case("a version with two blanks", 4, C, A, T, "bridge_protocol_version  mqttv50"),
            Case("a version with a blank behind", 4, C, A, T, "bridge_protocol_version mqttv50 "),
            Case("a version by its number", 4, C, A, T, "bridge_protocol_version 5"),
            Case("a long keep alive interval of a bridge", 4, C, A, T, "keepalive_interval 65536"),
            Case("a short keep alive interval of a bridge", 0, C, A, T, "keepalive_interval 1"),
            Case("a cap below its base", 4, C, A, T, "restart_timeout 10 5"),
            Case("a comment in the place of a cap", 4, C, A, T, "restart_timeout 10 # seconds"),
            Case("no time to start again", 4, C, A, T, "restart_timeout"),
            Case("a name twice under two keys", 5, C, A, T, "username a", "remote_username b"),
            Case("a key and a certificate", 5, C, A, T, "bridge_identity a", "bridge_cafile /tmp/a"),
            Case("a certificate and a key", 5, C, A, T, "bridge_cafile /tmp/a", "bridge_psk 1234"),
        ];

    private static IEnumerable<TestCaseData> Addresses() =>
        [
            Case("no address in the line", 2, C, "address", T),
            Case("a comment as an address", 2, C, "address # later", T),
            Case("two addresses", 0, C, "addresses 127.0.0.1:1 127.0.0.1:2", T),
            Case("two lines of addresses", 3, C, A, "address 127.0.0.1:2", T),
            Case("an address without a port", 0, C, "address 127.0.0.1", T),
            Case("the port 0", 2, C, "address 127.0.0.1:0", T),
            Case("the port 65536", 2, C, "address 127.0.0.1:65536", T),
            Case("a port that is a word", 2, C, "address 127.0.0.1:mqtt", T),
            Case("an address of IPv6", 0, C, "address ::1:1883", T),
            Case("an address of IPv6 with an open end", 2, C, "address fe80::", T),
        ];

    private static IEnumerable<TestCaseData> Topics() =>
        [
            Case("a pattern alone", 0, C, A, "topic a/b"),
            Case("no pattern", 3, C, A, "topic"),
            Case("a direction in capitals", 0, C, A, "topic a BOTH 1"),
            Case("an unknown direction", 3, C, A, "topic a sideways"),
            Case("a comment behind the pattern", 3, C, A, "topic a # a comment"),
            Case("a comment behind the direction", 0, C, A, "topic a both # a comment"),
            Case("a comment behind the quality of service", 0, C, A, "topic a both 1 # a comment"),
            Case("a comment behind the prefix", 0, C, A, "topic a both 1 l/ # a comment"),
            Case("the quality of service 3", 3, C, A, "topic a both 3"),
            Case("the quality of service -1", 3, C, A, "topic a both -1"),
            Case("the quality of service 256", 0, C, A, "topic a both 256"),
            Case("a word as quality of service", 0, C, A, "topic a both x"),
            Case("both prefixes", 0, C, A, "topic # both 1 l/ r/"),
            Case("an empty prefix", 0, C, A, "topic # both 1 \"\" r/"),
            Case("words behind the prefixes", 0, C, A, "topic # both 1 l/ r/ x y"),
            Case("a wildcard in a prefix", 3, C, A, "topic # both 1 +/"),
            Case("a prefix without a slash", 3, C, A, "topic # both 1 l"),
            Case("whole topics", 0, C, A, "topic \"\" both 1 here there"),
            Case("whole topics without one of them", 3, C, A, "topic \"\" both 1 here"),
            Case("an empty pattern", 3, C, A, "topic \"\""),
            Case("a wildcard inside a pattern with a prefix", 3, C, A, "topic a/#/b out 1 l/"),
        ];

    private static IEnumerable<TestCaseData> Security() =>
        [
            Case("settings by listener", 0, "per_listener_settings true", L, "allow_anonymous true"),
            Case("settings by listener too late", 2, "allow_anonymous true", "per_listener_settings true"),
            Case("settings by listener turned off late", 0, "allow_anonymous true", "per_listener_settings false"),
            Case("an access list twice", 2, "acl_file /tmp/a", "acl_file /tmp/b"),
            Case(
                "an access list of each listener",
                0,
                "per_listener_settings true",
                L,
                "allow_zero_length_clientid false",
                "auto_id_prefix a-",
                L,
                "auto_id_prefix b-"
            ),
            Case("an option without a plugin", 1, "auth_opt_host a"),
            Case("an option with a short name", 2, "plugin /tmp/a.so", "plugin_opt_ab x"),
            Case("characters of a plugin without one", 1, "auth_plugin_deny_special_chars true"),
            Case("a plugin without a path", 1, "plugin"),
            Case("a user twice", 2, "user root", "user root"),
        ];

    private static IEnumerable<TestCaseData> Wholes() =>
        [
            Case("a bridge without an address", -1, C, T),
            Case("a bridge without a topic", -1, C, A),
            Case("an identity without a key", -1, C, A, T, "bridge_identity a"),
            Case("a key without an identity", -1, C, A, T, "bridge_psk 1234"),
            Case(
                "two bridges of one client",
                -1,
                C,
                A,
                T,
                "remote_clientid x",
                "connection other",
                A,
                T,
                "remote_clientid x"
            ),
            Case(
                "two bridges of one client with names of their own here",
                0,
                C,
                A,
                T,
                "remote_clientid x",
                "connection other",
                A,
                T,
                "remote_clientid x",
                "local_clientid y"
            ),
        ];

    // A byte that is no UTF-8 is written \xff here.
    private static TestCaseData Case(string name, int line, params string[] lines) =>
        new TestCaseData(line, string.Join('\n', lines) + "\n").SetArgDisplayNames(name);
}
