using System.Text.RegularExpressions;
using MqttCheck.Text;

namespace MqttCheck.Clusters.Mosquitto.Reading;

/// <summary>
/// Keeps passwords and keys out of messages, also where a line is not written as it should be: a key is misspelled, or
/// a blank or a line break is missing.
/// </summary>
internal static partial class ConfSecrets
{
    private static readonly string[] s_options = ["auth_opt_", "plugin_opt_"];

    private static readonly string[] s_names =
    [
        .. ConfKeys.Names.Where(name => ConfKeys.Find(name)[0].IsSecret),
        .. s_options,
    ];

    /// <summary>Whether a key is an option of a plugin. All of these count as secret.</summary>
    public static bool IsPluginOption(string word) =>
        Array.Exists(s_options, option => word.StartsWith(option, StringComparison.Ordinal));

    /// <summary>
    /// Whether the key of a secret stands inside a line, so that a line break is missing. A topic may end so, where its
    /// direction follows.
    /// </summary>
    /// <param name="key">The key of the line.</param>
    /// <param name="rest">What follows it.</param>
    public static bool AreInside(string key, string rest) =>
        KeyInside()
            .IsMatch(
                key == "topic" && TopicWithDirection().Match(rest) is { Success: true } topic
                    ? rest[topic.Length..]
                    : rest
            );

    /// <summary>The error of an unknown key, without anything that may be a secret.</summary>
    /// <param name="word">The word.</param>
    /// <param name="rest">What follows it.</param>
    /// <param name="isAfterSecret">Whether the line before is that of a secret, which may have been broken.</param>
    public static string Unknown(string word, string rest, bool isAfterSecret)
    {
        var near = NearestName.Meant(word, ConfKeys.Names.Concat(s_options));
        var isNearSecret = NearestName.Meant(word, s_names).Length > 0;
        var start = Array.Find(s_names, name => word.StartsWith(name, StringComparison.Ordinal));
        if (start is not null && (isNearSecret || near.Length == 0))
            return $"'{start}' is followed by another character than a blank; allowed: {start} VALUE; "
                + "the rest is not shown, as it may be secret";
        var isShown =
            !isAfterSecret && !isNearSecret && (near.Length > 0 || (rest.Length > 0 && LooksLikeKey().IsMatch(word)));
        return (
                isShown
                    ? $"unknown key '{Printable.Value(ConfKind.Decoded(word))}'"
                    : "unknown key, not shown as it may be secret"
            ) + $"; allowed: the keys of mosquitto.conf(5){near}";
    }

    /// <summary>A key for messages and results. The name of an option may be the beginning of its value.</summary>
    public static string Shown(string key) =>
        Array.Find(s_options, option => key.StartsWith(option, StringComparison.Ordinal)) ?? key;

    /// <summary>Whether a word is the key of a secret, or was meant to be one.</summary>
    public static bool IsMeant(string word) =>
        Array.Exists(s_names, name => word.StartsWith(name, StringComparison.Ordinal))
        || NearestName.Meant(word, s_names).Length > 0;

    // Ends of keys do, as a beginning may be lost with the line break.
    [GeneratedRegex("(?:sword|_psk|kpass_sha1|(?:auth|plugin)_opt_[^ ]*|^ *opt_[^ ]*) +[^ ]")]
    private static partial Regex KeyInside();

    [GeneratedRegex("^ *[^ ]+ +(?=(?:in|out|both)(?: |$))", RegexOptions.IgnoreCase)]
    private static partial Regex TopicWithDirection();

    [GeneratedRegex("^[a-z_]{2,}$")]
    private static partial Regex LooksLikeKey();
}
