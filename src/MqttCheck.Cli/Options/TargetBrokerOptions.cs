using System.CommandLine;
using MqttCheck.App.Runs;
using MqttCheck.Broker.Delays;
using MqttCheck.Brokers.Processes;
using MqttCheck.Cli.Live;
using MqttCheck.Cli.Terminal;

namespace MqttCheck.Cli.Options;

/// <summary>
/// The options that say which broker is meant and how to log in, the same in every command that talks to one.
/// </summary>
internal sealed class TargetBrokerOptions
{
    private const int RemoteRate = 1000;
    private const string DefaultDelay = "lognormal:5ms,0.5";

    /// <summary>Which broker.</summary>
    public Option<string> Broker { get; } =
        new("--broker", "-b")
        {
            HelpName = "BROKER",
            Description = BrokerSpecification.Help,
            DefaultValueFactory = _ => BrokerSpecification.EmbeddedName,
        };

    /// <summary>The delay law of the embedded broker.</summary>
    public Option<string> Delay { get; } =
        new("--delay")
        {
            HelpName = "LAW",
            Description =
                "Embedded broker: how long each answer and delivery is held back: "
                + "none, constant:5ms, uniform:1..9ms, normal:5ms,1ms, exponential:5ms, "
                + $"lognormal:5ms,0.5 (median, sigma). Default {DefaultDelay}, so that there is something to learn.",
            DefaultValueFactory = _ => DefaultDelay,
        };

    /// <summary>Whether clients go to the next node of a cluster; of the commands whose clients may.</summary>
    public Option<bool> Failover { get; } =
        new("--failover")
        {
            Description = "Cluster: a client that lost its connection tries the next node. Default: its own again.",
        };

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
            + $"{RemoteRate} messages per second unless --rate-cap says otherwise.",
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
    /// <param name="withBroker">Whether the option that names one broker is among them.</param>
    public void AddTo(Command command, bool withBroker = true)
    {
        if (withBroker)
            command.Options.Add(Broker);
        command.AddAll(Delay, _user, _password, _passwordFile, _topicPrefix, _allowRemote, _rateCap);
        _tls.AddTo(command);
    }

    /// <summary>The broker and how to reach it.</summary>
    /// <param name="delay">The delay law of the embedded broker, or null for the one of the option.</param>
    /// <param name="broker">The broker, where a command names several; null for the one of the option.</param>
    /// <param name="patience">How long it may take to start, or null for the usual time.</param>
    /// <exception cref="InputException">A value is not allowed.</exception>
    public BrokerChoice Choose(
        ParseResult parse,
        ulong seed,
        string? delay = null,
        string? broker = null,
        TimeSpan? patience = null
    )
    {
        var specification = BrokerSpecification.Parse(broker ?? parse.GetValue(Broker)!);
        var plan = DelayPlan.Parse(
            delay ?? parse.GetValue(Delay)!,
            delay is null ? "--delay"
                : broker is null ? "--verify-delay"
                : "--brokers"
        );
        var embedded = specification.Kind == BrokerKind.Embedded && !specification.IsWithoutDelay;
        // If the option is for several brokers, the law applies to the embedded ones among them.
        if (!embedded && broker is null && parse.GetResult(Delay) is { Implicit: false })
            throw new InputException($"--delay: given for {specification.Name}; allowed: only with --broker embedded.");
        var failover = parse.GetValue(Failover);
        // If the option is for several brokers, it applies to the clusters among them.
        if (failover && broker is null && specification.Kind != BrokerKind.Cluster)
            throw new InputException(
                "--failover: given for one broker; allowed: only for several, --broker cluster:FILE or "
                    + "mqtt://A,mqtt://B."
            );
        var remote = parse.GetValue(_allowRemote);
        if (!remote && specification.Elsewhere is { } elsewhere)
            throw RemoteBroker.NotAllowed(specification, elsewhere);
        BrokerStart.Require(specification);
        var launch = new BrokerLaunchOptions
        {
            Credentials = Credentials(parse),
            Tls = _tls.Choose(parse, specification),
            AllowRemote = remote,
            Failover = failover,
            Hosted = OwnProgram.Brokers(plan, seed),
        };
        var prefix = PrefixedBroker.Checked(parse.GetValue(_topicPrefix), _topicPrefix.Name);
        if (patience is { } longer)
            launch = launch with { StartTimeout = longer };
        return new(
            specification,
            async cancellation =>
                PrefixedBroker.Of(await BrokerStart.RunAsync(specification, launch, seed, cancellation), prefix),
            parse.GetValue(_rateCap) ?? (remote ? RemoteRate : null)
        )
        {
            Seed = seed,
        };
    }

    /// <summary>The arguments that reach the same broker again, credentials apart.</summary>
    public IReadOnlyList<string> Repeated(ParseResult parse, BrokerSpecification specification)
    {
        return
        [
            "--broker",
            specification.Name,
            .. (parse.GetValue(Failover) ? (string[])[Failover.Name] : []),
            .. (parse.GetValue(_topicPrefix) is { } prefix ? (string[])[_topicPrefix.Name, prefix] : []),
            .. (parse.GetValue(_allowRemote) ? (string[])[_allowRemote.Name] : []),
            .. _tls.Repeated(parse),
        ];
    }

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
