using System.CommandLine;
using MqttCheck.Brokers.Processes;
using MqttCheck.Cli.Terminal;

namespace MqttCheck.Cli.Options;

/// <summary>
/// The options that say how to log in to brokers that run already, how to speak TLS with them, and what they may get.
/// They are the same in every command that reaches one broker or several.
/// </summary>
internal sealed class AccessOptions
{
    private readonly Option<string?> _user = new("--user")
    {
        HelpName = "NAME",
        Description = "User name for a running broker; or environment variable MQTTCHECK_USER. Never written anywhere.",
    };

    private readonly Option<string?> _password = new("--password")
    {
        HelpName = "SECRET",
        Description =
            "Password; better in environment variable MQTTCHECK_PASSWORD or in a file. Never written anywhere.",
    };

    private readonly Option<FileInfo?> _passwordFile = new("--password-file")
    {
        HelpName = "FILE",
        Description = "File whose first line is the password.",
    };

    private readonly Option<string?> _topicPrefix = new("--topic-prefix")
    {
        HelpName = "LEVELS/",
        Description =
            "The beginning of all topics, such as plant/, where the broker allows no others; or environment variable "
            + $"{PrefixedBroker.Variable}. Without it topics begin with mqttcheck/.",
    };

    private readonly Option<bool> _allowRemote = new("--allow-remote")
    {
        Description =
            "Allow a broker that is not on this machine. It gets at most "
            + $"{BrokerLaunchOptions.UsualRemoteRate} messages per second unless --rate-cap says otherwise.",
    };

    private readonly Option<int?> _rateCap = new("--rate-cap")
    {
        HelpName = "N",
        Description =
            "At most N messages per second from all clients together. Default: none for a broker on this machine.",
        CustomParser = result => Values.Integer(1, 1_000_000)(result),
    };

    private readonly TlsOptions _tls = new();

    /// <summary>Adds the options to a command.</summary>
    public void AddTo(Command command)
    {
        command.AddAll(_user, _password, _passwordFile, _topicPrefix, _allowRemote, _rateCap);
        _tls.AddTo(command);
    }

    /// <summary>Whether a broker may be on another machine.</summary>
    public bool AllowsRemote(ParseResult parse) => parse.GetValue(_allowRemote);

    /// <summary>How many messages per second all clients together may send; null for no limit.</summary>
    public int? RateCap(ParseResult parse) =>
        parse.GetValue(_rateCap) ?? (AllowsRemote(parse) ? BrokerLaunchOptions.UsualRemoteRate : null);

    /// <summary>The beginning of all topics; empty for none.</summary>
    /// <param name="usual">The beginning where no option says it, such as that of a file; empty for none.</param>
    /// <exception cref="InputException">No topic can begin with it.</exception>
    public string TopicPrefix(ParseResult parse, string usual = "") =>
        parse.GetValue(_topicPrefix) is null && usual.Length > 0
            ? usual
            : PrefixedBroker.Checked(parse.GetValue(_topicPrefix), _topicPrefix.Name);

    /// <summary>How brokers are reached.</summary>
    /// <param name="isTls">Whether one of them is a running broker that speaks TLS.</param>
    /// <param name="given">The brokers, for messages.</param>
    /// <param name="allowed">The brokers with which options of TLS may be given, for messages.</param>
    /// <exception cref="InputException">A value is not allowed, or a file cannot be read.</exception>
    public BrokerLaunchOptions Choose(ParseResult parse, bool isTls, string given, string allowed) =>
        new()
        {
            Credentials = Credentials(parse),
            Tls = _tls.Choose(parse, isTls, given, allowed),
            AllowRemote = AllowsRemote(parse),
        };

    /// <summary>The options as given, to be given again, credentials apart.</summary>
    public IEnumerable<string> Repeated(ParseResult parse) =>
        [
            .. (parse.GetValue(_topicPrefix) is { } prefix ? (string[])[_topicPrefix.Name, prefix] : []),
            .. (AllowsRemote(parse) ? (string[])[_allowRemote.Name] : []),
            .. _tls.Repeated(parse),
        ];

    private Credentials? Credentials(ParseResult parse)
    {
        if (parse.GetValue(_user) is "")
            throw new InputException("--user: '' given; allowed: a user name, or no --user for none.");
        var user = parse.GetValue(_user) ?? Environment.GetEnvironmentVariable("MQTTCHECK_USER");
        var password = parse.GetValue(_password);
        if (parse.GetValue(_passwordFile) is { } file)
        {
            if (password is not null)
                throw new InputException("--password-file: given beside --password; allowed: one of them.");
            password = GivenFile.Read(
                file,
                path => File.ReadLines(path).FirstOrDefault() ?? "",
                reason => $"--password-file: {reason}; allowed: a file whose first line is the password"
            );
        }
        password ??= Environment.GetEnvironmentVariable("MQTTCHECK_PASSWORD");
        if (string.IsNullOrEmpty(user))
            return password is null
                ? null
                : throw new InputException(
                    "--user: missing beside a password; allowed: a user name, by --user or MQTTCHECK_USER."
                );
        return new Credentials(user, password ?? "");
    }
}
