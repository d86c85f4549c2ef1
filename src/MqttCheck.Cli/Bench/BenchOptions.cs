using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;
using MqttCheck.App.Bench;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Terminal;
using MqttCheck.Profiles.Workloads;
using MqttCheck.Protocol;

namespace MqttCheck.Cli.Bench;

/// <summary>
/// The options of <c>mqttcheck bench</c> that say what is sent. Each overrides what the workload says.
/// </summary>
internal sealed class BenchOptions
{
    private readonly Option<string?> _shape = new Option<string?>("--shape")
    {
        HelpName = "SHAPE",
        Description =
            "pairs, fan-in (many publishers, few subscribers), fan-out (few publishers, many subscribers), or p2p: "
            + "TBMQ's point-to-point scenario. Default pairs.",
    }.Accepting("pairs", "fan-in", "fan-out", "p2p");

    private readonly Option<string?> _workload = new("--workload", "-w")
    {
        HelpName = "NAME|FILE",
        Description =
            $"The workload: {string.Join(", ", WorkloadFile.BuiltInNames)}, "
            + "or a JSON file (profiles/workloads/workload.schema.json).",
    };

    private readonly Option<int?> _publishers = Count(
        "--publishers",
        "How many clients publish, in a fan-in or fan-out."
    );
    private readonly Option<int?> _subscribers = Count(
        "--subscribers",
        "How many clients subscribe, in a fan-in or fan-out."
    );

    private readonly Option<bool> _poisson = new("--poisson")
    {
        Description = "Open loop: Poisson arrivals instead of a constant rate.",
    };

    private readonly Option<int?> _inFlight = new("--in-flight")
    {
        HelpName = "N",
        Description =
            "How many messages a publisher may have in flight. Default 10 in a closed loop, 100 in an open one.",
        CustomParser = result => Values.Integer(1, 65_535)(result),
    };

    private readonly Option<int?> _qos = Qos(
        "--qos",
        "Quality of service of publications and subscriptions. Default 1."
    );
    private readonly Option<int?> _subscribeQos = Qos(
        "--subscribe-qos",
        "Quality of service of subscriptions. Default: as --qos."
    );
    private readonly Option<string?> _mqtt = new Option<string?>("--mqtt")
    {
        HelpName = "VERSION",
        Description = "MQTT version: 3.1.1, 5, or auto: the newest that the broker speaks. Default auto.",
    }.Accepting("3.1.1", "5", "auto");
    private readonly Option<bool> _persistent = new("--persistent")
    {
        Description = "Sessions of subscribers outlive their connections (MQTT 3.1.1: CleanSession 0).",
    };

    private readonly Option<string?> _payload = new("--payload")
    {
        HelpName = "SIZE|LAW|text:TEXT",
        Description =
            "Payload: bytes (100), 50..200 (uniform), lognormal:100,0.5, or text:TEXT with "
            + "{number} and, if wanted, {time}, {publisher}, {random:N} in it. Default 100.",
    };

    private readonly Option<string?> _topic = new("--topic")
    {
        HelpName = "TOPIC",
        Description = "Topic of a publisher, with {publisher} and, if wanted, {prefix} and {group} in it.",
    };
    private readonly Option<string?> _filter = new("--filter")
    {
        HelpName = "FILTER",
        Description = "Filter of a subscriber, with {subscriber} and, if wanted, {prefix} and {group} in it.",
    };
    private readonly Option<LoadWarmUp?> _warmUp = new("--warm-up")
    {
        HelpName = "TIME|NxTIME",
        Description =
            "The same load before it, for some time (0 for none), or N messages of each publisher with pauses (10x2s). "
            + "Default 1s.",
        CustomParser = WarmUp,
    };

    private readonly Option<double?> _offlineShare = new("--offline-share")
    {
        HelpName = "P",
        Description =
            "This share of the subscribers goes offline at a quarter of the time and comes back; needs --persistent.",
        CustomParser = result => Values.Between(0, 1.000001)(result),
    };

    private readonly Option<TimeSpan?> _offlineFor = new("--offline-for")
    {
        HelpName = "TIME",
        Description = "How long it stays offline. Default 1s.",
        CustomParser = result => Values.Duration(result),
    };

    /// <summary>
    /// <c>--clients</c>: pairs, publishers of a fan-in, subscribers of a fan-out, clients of a profile.
    /// </summary>
    public Option<int?> Clients { get; } =
        Count(
            "--clients",
            "How many pairs, publishers of a fan-in, subscribers of a fan-out, or clients of a profile. Default 100.",
            "-n"
        );

    /// <summary><c>--pairs</c>: sizes; several for a scenario only.</summary>
    public Option<int[]?> Pairs { get; } =
        new("--pairs")
        {
            HelpName = "N,N,...",
            Description = "How many pairs; several with --scenario. Default 100; 100,500,1000 with --scenario.",
            CustomParser = result => Values.Integers(1, Workload.MostClients / 2)(result),
        };

    /// <summary><c>--rate</c>: the rate of an open loop.</summary>
    public Option<double?> Rate { get; } =
        new("--rate")
        {
            HelpName = "N",
            Description =
                "Open loop: so many messages per second from all publishers together, by a "
                + "schedule fixed before the run (800, 2.5k). Without it the loop is closed.",
            CustomParser = Rates.One,
        };

    /// <summary><c>--for</c>: the duration.</summary>
    public Option<TimeSpan?> Time { get; } =
        new("--for")
        {
            HelpName = "TIME",
            Description = "How long messages that count are sent. Default 10s; 3s for each rate of a sweep.",
            CustomParser = result => Values.Duration(result),
        };

    /// <summary>The options that say what the load is, none of which a usage profile takes.</summary>
    public IReadOnlyList<Option> OfLoad =>
        [
            _shape,
            _workload,
            _publishers,
            _subscribers,
            Rate,
            _poisson,
            _inFlight,
            _qos,
            _subscribeQos,
            _persistent,
            _payload,
            _topic,
            _filter,
            _warmUp,
            _offlineShare,
            _offlineFor,
            Pairs,
        ];

    /// <summary>The options that a scenario decides itself.</summary>
    public IReadOnlyList<Option> OfShape =>
        [
            _shape,
            _workload,
            _publishers,
            _subscribers,
            Rate,
            _poisson,
            _qos,
            _subscribeQos,
            _payload,
            _topic,
            _filter,
            Clients,
        ];

    /// <summary>Adds the options to a command.</summary>
    public void AddTo(Command command) => command.AddAll([Clients, .. OfLoad, _mqtt, Time]);

    /// <summary>
    /// The version of MQTT that the user asked for; null for none, or for the newest that the broker speaks.
    /// </summary>
    public ProtocolVersion? Version(ParseResult parse) =>
        parse?.GetValue(_mqtt) switch
        {
            "3.1.1" => ProtocolVersion.V311,
            "5" => ProtocolVersion.V5,
            _ => null,
        };

    /// <summary>The workload.</summary>
    /// <param name="scenario">The name of a scenario's workload, or null.</param>
    /// <param name="isSweep">Whether rates come from elsewhere: the loop is open.</param>
    /// <param name="pairs">The number of pairs, where the option holds several; null for the option's one.</param>
    /// <exception cref="InputException">Options contradict each other, or the workload cannot be run.</exception>
    public Workload Choose(ParseResult parse, string? scenario, bool isSweep, int? pairs = null)
    {
        if (Given(parse, _shape) && Given(parse, _workload))
            throw Beside("--shape", "--workload");
        var shape = parse.GetValue(_shape) switch
        {
            "p2p" => "tbmq-p2p",
            var name => name,
        };
        var workload = WorkloadFile.Read(scenario ?? shape ?? parse.GetValue(_workload) ?? "pairs");
        workload = scenario is not null
            ? BenchStage.Resize(workload, pairs ?? workload.Publishers)
            : Sized(parse, workload);
        var rate = parse.GetValue(Rate);
        var isOpen = rate is not null || isSweep || workload.IsOpenLoop;
        if (parse.GetValue(_poisson) && !isOpen)
            throw new InputException("--poisson: given without a rate; allowed: beside --rate or --rates.");
        if (isOpen)
        {
            workload = workload with
            {
                Arrivals =
                    parse.GetValue(_poisson) ? ArrivalKind.Poisson
                    : workload.IsOpenLoop ? workload.Arrivals
                    : ArrivalKind.Constant,
                // A window that is meant to keep a closed loop short would hold up an open one.
                InFlight = workload.IsOpenLoop ? workload.InFlight : Math.Max(100, workload.InFlight),
                MessagesPerSecond = rate ?? workload.MessagesPerSecond,
            };
        }
        var qos = parse.GetValue(_qos);
        workload = workload with
        {
            InFlight = parse.GetValue(_inFlight) ?? workload.InFlight,
            Qos = (QualityOfService?)qos ?? workload.Qos,
            SubscribeQos = (QualityOfService?)(parse.GetValue(_subscribeQos) ?? qos) ?? workload.SubscribeQos,
            Version = parse.GetValue(_mqtt) == "auto" ? null : Version(parse) ?? workload.Version,
            PersistentSubscribers = parse.GetValue(_persistent) || workload.PersistentSubscribers,
            Payload = parse.GetValue(_payload) is { } payload
                ? LoadPayload.Parse(payload, "--payload")
                : workload.Payload,
            Topic = parse.GetValue(_topic) ?? workload.Topic,
            Filter = parse.GetValue(_filter) ?? workload.Filter,
            Duration = parse.GetValue(Time) ?? (isSweep ? TimeSpan.FromSeconds(3) : workload.Duration),
            WarmUp = parse.GetValue(_warmUp) ?? workload.WarmUp,
            OfflineShare = parse.GetValue(_offlineShare) ?? workload.OfflineShare,
            OfflineTime = parse.GetValue(_offlineFor) ?? workload.OfflineTime,
        };
        if (Given(parse, _offlineFor) && workload.OfflineShare == 0)
            throw new InputException("--offline-for: nobody goes offline; allowed: beside --offline-share.");
        InputException.ThrowIfAny(workload.Validate());
        return workload;
    }

    /// <summary>Whether the user gave an option.</summary>
    internal static bool Given(ParseResult parse, Option option) => parse.GetResult(option) is { Implicit: false };

    /// <summary>Two options that contradict each other.</summary>
    internal static InputException Beside(string option, string other) =>
        new($"{option}: given beside {other}; allowed: one of them.");

    private Workload Sized(ParseResult parse, Workload workload)
    {
        var before = workload.Publishers;
        var pairs = parse.GetValue(Pairs);
        if (pairs is { Length: 0 })
            pairs = null;
        if (pairs is { Length: > 1 })
            throw new InputException("--pairs: several sizes given; allowed: one, or several beside --scenario.");
        if (pairs is not null && Given(parse, Clients))
            throw Beside("--pairs", "--clients");
        var clients = parse.GetValue(Clients) ?? pairs?[0];
        var (publishers, subscribers) = (parse.GetValue(_publishers), parse.GetValue(_subscribers));
        switch (workload.Shape)
        {
            case WorkloadShape.Pairs when publishers is not null || subscribers is not null:
                throw new InputException(
                    "--publishers and --subscribers: given for pairs; "
                        + "allowed: for a fan-in or fan-out, and --pairs for pairs."
                );
            case WorkloadShape.Pairs:
                workload = workload with
                {
                    Publishers = clients ?? workload.Publishers,
                    Subscribers = clients ?? workload.Subscribers,
                };
                break;
            case var _ when pairs is not null:
                throw new InputException(
                    "--pairs: given for a fan-in or fan-out; allowed: --clients, --publishers and --subscribers."
                );
            case WorkloadShape.FanIn:
                if (clients is not null && publishers is not null)
                    throw Beside("--clients", "--publishers, which is the same in a fan-in");
                workload = workload with
                {
                    Publishers = clients ?? publishers ?? workload.Publishers,
                    Subscribers = subscribers ?? workload.Subscribers,
                };
                break;
            default:
                if (clients is not null && subscribers is not null)
                    throw Beside("--clients", "--subscribers, which is the same in a fan-out");
                workload = workload with
                {
                    Publishers = publishers ?? workload.Publishers,
                    Subscribers = clients ?? subscribers ?? workload.Subscribers,
                };
                break;
        }
        // Another size keeps the rate of each publisher.
        return workload with { MessagesPerSecond = workload.MessagesPerSecond * workload.Publishers / before };
    }

    private static Option<int?> Count(string name, string description, params string[] aliases) =>
        new(name, aliases)
        {
            HelpName = "N",
            Description = description,
            CustomParser = result => Values.Integer(1, Workload.MostClients)(result),
        };

    private static Option<int?> Qos(string name, string description) =>
        new(name)
        {
            HelpName = "0|1|2",
            Description = description,
            CustomParser = result => Values.Integer(0, 2)(result),
        };

    private static LoadWarmUp? WarmUp(ArgumentResult result)
    {
        var text = result.Tokens[0].Value;
        if (text == "0")
            return LoadWarmUp.Lasting(TimeSpan.Zero);
        var at = text.IndexOf('x', StringComparison.Ordinal);
        if (Values.TryDuration(text[(at + 1)..], out var time))
        {
            if (at < 0)
                return LoadWarmUp.Lasting(time);
            if (
                int.TryParse(text.AsSpan(0, at), NumberStyles.None, CultureInfo.InvariantCulture, out var messages)
                && messages is >= 1 and <= 1000
            )
                return new(messages, time);
        }
        result.AddError(
            $"--warm-up: '{text}' is not allowed; allowed is 0, a duration "
                + "with its unit such as 1s, or messages and pause such as 10x2s."
        );
        return null;
    }
}
