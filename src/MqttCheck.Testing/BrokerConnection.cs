using System.Data.Common;
using System.Globalization;
using System.Text.RegularExpressions;
using MqttCheck.Brokers.Processes;
using MqttCheck.Text;

namespace MqttCheck.Testing;

/// <summary>A connection string of a broker, read.</summary>
/// <param name="Address">The broker, as <see cref="TestBroker"/> takes it.</param>
/// <param name="Credentials">How to log in; null where the string does not say.</param>
internal sealed partial record BrokerConnection(string Address, Credentials? Credentials)
{
    private const string VariablePrefix = "ConnectionStrings__";

    private const string Allowed =
        "mqtt://HOST:PORT, mqtts://HOST:PORT, Endpoint=mqtt://HOST:PORT (with ;Username=NAME;Password=WORD where the "
        + "broker asks for them), or a name such as mqtt, whose string environment variable ConnectionStrings__mqtt "
        + "has";

    // The schemes that endpoints of resources have, and what is spoken there.
    private static readonly Dictionary<string, string> s_schemes = new(StringComparer.OrdinalIgnoreCase)
    {
        ["mqtt"] = "mqtt",
        ["tcp"] = "mqtt",
        ["mqtts"] = "mqtts",
        ["ssl"] = "mqtts",
        ["tls"] = "mqtts",
        ["ws"] = "ws",
        ["wss"] = "wss",
    };

    private static readonly string[] s_userKeys = ["Username", "User", "User ID", "UserName"],
        s_passwordKeys = ["Password"],
        s_keys = ["Endpoint", .. s_userKeys, .. s_passwordKeys];

    /// <summary>Reads a connection string, or the one that a name stands for.</summary>
    /// <exception cref="InputException">It is malformed. The message shows no credentials.</exception>
    /// <exception cref="BrokerException">The variable of the name is not set.</exception>
    public static BrokerConnection Of(string text)
    {
        text = text.Trim();
        return Name().IsMatch(text)
            ? Read(FromVariable(text), $"Connection string of {VariablePrefix}{text}")
            : Read(text, "Connection string");
    }

    // A process that Aspire starts gets the name with underscores where a variable may have no dash.
    private static string FromVariable(string name)
    {
        string[] variables = [VariablePrefix + name, VariablePrefix + name.Replace('-', '_')];
        return variables
                .Select(Environment.GetEnvironmentVariable)
                .FirstOrDefault(value => !string.IsNullOrEmpty(value))
            ?? throw new BrokerException(
                $"Environment variable {variables[0]} is not set; set it to the connection string of the broker to "
                    + $"test, such as mqtt://127.0.0.1:1883, or give the string itself: {Allowed}."
            )
            {
                IsMissing = true,
            };
    }

    private static BrokerConnection Read(string text, string what)
    {
        // An address has its equals sign, if any, behind its scheme.
        if (!text.Split("://")[0].Contains('='))
            return At(text, text, what);
        var parts = new DbConnectionStringBuilder();
        try
        {
            parts.ConnectionString = text;
        }
        catch (ArgumentException)
        {
            throw Wrong(what, text, "its parts are KEY=VALUE with semicolons between them");
        }
        var keys = parts.Keys.Cast<string>().ToList();
        if (keys.Find(key => !s_keys.Contains(key, StringComparer.OrdinalIgnoreCase)) is { } unknown)
            throw Wrong(what, text, $"'{Printable.Value(unknown)}' is none of its keys ({string.Join(", ", s_keys)})");
        string? Part(string[] names) =>
            names
                .Select(name => parts.TryGetValue(name, out var value) ? value as string : null)
                .FirstOrDefault(one => one is not null);
        var address = At(Part(["Endpoint"]) ?? throw Wrong(what, text, "it has no Endpoint"), text, what);
        return Part(s_userKeys) is { } user
            ? address with
            {
                Credentials = new(user, Part(s_passwordKeys) ?? ""),
            }
            : address;
    }

    private static BrokerConnection At(string address, string text, string what)
    {
        if (
            !Uri.TryCreate(address, UriKind.Absolute, out var uri)
            || !s_schemes.TryGetValue(uri.Scheme, out var scheme)
            || uri.Host.Length == 0
        )
            throw Wrong(what, text, "it is no address of a broker");
        var user = uri.UserInfo.Split(':', 2).Select(Uri.UnescapeDataString).ToArray();
        var port = uri.Port < 0 ? "" : string.Create(CultureInfo.InvariantCulture, $":{uri.Port}");
        return new(
            $"{scheme}://{uri.Host}{port}{(scheme is "ws" or "wss" ? uri.PathAndQuery : "")}",
            user[0].Length > 0 ? new(user[0], user.ElementAtOrDefault(1) ?? "") : null
        );
    }

    private static InputException Wrong(string what, string text, string why) =>
        new($"{what}: '{Printable.Value(Shown(text))}' given: {why}; allowed: {Allowed}.");

    // A password must not reach a log, however its key is spelled.
    private static string Shown(string text) => Secret().Replace(BrokerSpecification.Redact(text), "$1...");

    [GeneratedRegex(@"^[A-Za-z][\w.-]*$")]
    private static partial Regex Name();

    [GeneratedRegex(@"((?:^|;)\s*(?!endpoint|user)[^=;]*=)[^;]*", RegexOptions.IgnoreCase)]
    private static partial Regex Secret();
}
