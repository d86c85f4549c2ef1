using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Profiles;
using MqttCheck.Profiles.Behaviours;
using MqttCheck.Profiles.Workloads;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Tests.Profiles;

/// <summary>Generators of profiles that a file may hold: every key with every form, and left out.</summary>
internal static class ProfileGenerators
{
    private static readonly Gen<bool> s_flag = Gen.Elements(true, false);

    private static readonly Gen<string> s_name = Gen.Elements("a", "up1", "My-device_2.x", new string('z', 64));

    private static readonly Gen<string> s_text = Gen.Elements("", "north", "a \"b\" \\ {c}", "ä€𝄞", "\u0001\n");

    private static readonly Gen<double> s_number = Gen.OneOf(
        Gen.Elements(1, .1, 1e3, 1 / 3.0, 123.456789),
        Gen.Choose(1, 1_000_000).Select(n => n / 1000.0)
    );

    private static readonly Gen<Law> s_law = Gen.OneOf(
        s_number.Select(value => (Law)new ConstantLaw(value)),
        s_number.Select(value => (Law)new ExponentialLaw(value)),
        s_number.Two().Select(pair => (Law)new UniformLaw(pair.Item1, pair.Item1 + pair.Item2)),
        s_number.Two().Select(pair => (Law)new NormalLaw(pair.Item1, pair.Item2)),
        s_number.Select(value => (Law)new LogNormalLaw(value, .5))
    );

    private static readonly Gen<QualityOfService> s_qos = Gen.Elements(Enum.GetValues<QualityOfService>());

    private static readonly Gen<ValueList<LoadStage>> s_stages = s_number
        .Two()
        .ListOf()
        .Select(list => list.Take(5).Select(pair => new LoadStage(pair.Item1, pair.Item2)).ToArray())
        .SelectMany(list => s_flag.Select(isSilent => Stages(list, isSilent)));

    private static readonly Gen<ValueList<UserProperty>> s_properties = Gen.Elements("site", "x y", "ä", "")
        .Zip(s_text)
        .ListOf()
        .Select(list => Properties(list.DistinctBy(pair => pair.Item1).ToArray()));

    private static readonly Gen<ClientWill> s_will =
        from topic in Gen.Elements("status/{client}", "gone", "a/b")
        from payload in s_text
        from qos in s_qos
        from onDisconnect in s_flag
        from retain in s_flag
        select new ClientWill(topic, payload, qos) { OnDisconnect = onDisconnect, Retain = retain };

    private static readonly Gen<FirstMessage> s_first =
        from text in Maybe(s_text)
        from bytes in Gen.Choose(12, 1 << 20)
        from qos in s_qos
        from retain in s_flag
        select new FirstMessage(text is null ? "birth" : "birth/{client}")
        {
            Payload = text,
            PayloadBytes = text is null ? bytes : 12,
            Qos = qos,
            Retain = retain,
        };

    private static readonly Gen<Instants> s_instants =
        from every in s_number
        from jitter in Gen.Elements(0, .25, .5)
        from message in Gen.Elements(OrderStep.Connect, OrderStep.Publish)
        select new Instants(every + .05, jitter * every, message);

    /// <summary>Profiles.</summary>
    public static Gen<UsageProfile> Profile =>
        from plain in s_plain
        from withLoad in Load(plain)
        from withPackets in Packets(withLoad)
        from whole in Behaviour(withPackets)
        select whole;

    private static readonly Gen<UsageProfile> s_plain =
        from name in s_name
        from description in s_text
        from wait in s_law
        from waits in Maybe(s_law.Two().Select(pair => new MessageWaits(pair.Item1, null, pair.Item2, null, null)))
        from topics in Gen.Choose(1, 65_536)
        from sizes in Gen.Choose(12, 1000).Two()
        from law in Maybe(s_law)
        from isText in s_flag
        from qos in s_qos
        from subscription in s_qos
        from weights in Maybe(s_number.Three().Select(w => new QosWeights(w.Item1, w.Item2, w.Item3)))
        from clean in s_flag
        from length in Gen.Choose(1, 10_000)
        let template = isText ? Template() : null
        select new UsageProfile
        {
            Name = name,
            Description = description,
            WaitMilliseconds = wait,
            Waits = waits,
            Weights = new(1, .5, 2, 0, 1 / 3.0),
            Topics = topics,
            TopicName = clean ? "fleet/{topic}/x" : "{topic}",
            MinimumPayloadBytes = template?.Bytes ?? sizes.Item1,
            MaximumPayloadBytes = template?.Bytes ?? sizes.Item1 + sizes.Item2,
            PayloadLaw = template is null ? law : null,
            Payload = template,
            Qos = weights is null ? qos : QualityOfService.AtLeastOnce,
            PublishQos = weights,
            SubscriptionQos = weights is null && !clean ? null : subscription,
            CleanSessions = clean,
            SequenceLength = length,
        };

    private static Gen<UsageProfile> Load(UsageProfile profile) =>
        from rampUp in Gen.OneOf(Gen.Constant(0.0), s_number)
        from rate in Maybe(s_number.Select(number => (object)number))
        from stages in s_stages
        select profile with
        {
            RampUpSeconds = rate is null ? rampUp : 0,
            ConnectsPerSecond = (double?)rate,
            Stages = stages,
        };

    private static Gen<UsageProfile> Packets(UsageProfile profile) =>
        from keepAlive in Gen.Elements(0, 1, 60, 65_535)
        from retain in s_flag
        from share in Maybe(s_name)
        from expiry in Gen.Elements<int?>(null, 1, int.MaxValue)
        from properties in s_properties
        from aliases in Gen.Elements(0, 1, 65_535)
        from will in Maybe(s_will)
        select profile with
        {
            KeepAliveSeconds = keepAlive,
            Retain = retain,
            ShareName = profile.CleanSessions ? share : null,
            MessageExpirySeconds = expiry,
            UserProperties = properties,
            TopicAliases = aliases,
            Will = will,
        };

    private static Gen<UsageProfile> Behaviour(UsageProfile profile) =>
        from order in Gen.Elements<OrderStep[]>(
            [],
            [OrderStep.Connect, OrderStep.Publish, OrderStep.Disconnect],
            [OrderStep.Connect, OrderStep.Subscribe, OrderStep.Unsubscribe]
        )
        from first in Maybe(s_first)
        from instants in Maybe(s_instants)
        from filters in Gen.Elements<string[]>([], ["a/+/b", "c/{client}/#"])
        from isOwn in s_flag
        let isPlain = profile is { TopicName: "{topic}" }
        select profile with
        {
            TopicName = isOwn ? "own/{client}" : profile.TopicName,
            Topics = isOwn ? 1 : profile.Topics,
            Order = [.. order],
            AfterConnect = first,
            Simultaneous = profile is { Stages.Count: 0, RampUpSeconds: 0, ConnectsPerSecond: null } ? instants : null,
            Filters =
                profile.ShareName is null && order.Contains(OrderStep.Subscribe) && (isOwn || !isPlain)
                    ? [.. filters]
                    : [],
        };

    private static Gen<T?> Maybe<T>(Gen<T> gen)
        where T : class => Gen.OneOf(Gen.Constant<T?>(null), gen.Select(value => (T?)value));

    private static PayloadTemplate Template() =>
        PayloadTemplate.TryParse("{\"n\":\"{number}\",\"t\":{time},\"r\":\"{random:3}\"}", out var template) is null
            ? template!
            : throw new InvalidOperationException("The text is one.");

    // At least one stage has a load.
    private static ValueList<LoadStage> Stages(LoadStage[] stages, bool isSilent) =>
        stages.Length == 0 ? []
        : isSilent ? [.. stages.Append(new(1, 0))]
        : [.. stages];

    private static ValueList<UserProperty> Properties((string Name, string Value)[] pairs) =>
        [.. pairs.Select(pair => new UserProperty(pair.Name, pair.Value))];
}
