using MqttCheck.Captures.Exchanges;
using MqttCheck.Captures.Populations;
using MqttCheck.Clients;
using MqttCheck.Profiles;
using MqttCheck.Profiles.Behaviours;
using MqttCheck.Protocol;
using MqttCheck.Statistics.Laws;
using static System.FormattableString;

namespace MqttCheck.Captures.Usage;

/// <summary>Makes the usage profile of a group, and notes what it cannot say.</summary>
/// <param name="group">The group.</param>
/// <param name="names">The names of topics.</param>
/// <param name="words">The words in the place of names.</param>
internal sealed class GroupProfile(FoundGroup group, TopicNames names, Pseudonyms words)
{
    // Clients that stay are connected for so long until a sequence of theirs is over.
    private const double SequenceMilliseconds = 120_000;
    private const double LongestRampUpMilliseconds = 60_000;
    private const int ShortestSequence = 10;
    private const int LongestSequence = 100;
    private const int MostSteps = 50;
    private const double Whole = .05;

    private readonly List<string> _limits = [];
    private readonly GroupSubscriptions _subscriptions = new(group, names);

    /// <summary>The properties of the group that the profile cannot say.</summary>
    public IReadOnlyList<string> Limits => _limits;

    private bool Publishes => group.Sizes.Count > 0;

    /// <summary>The profile.</summary>
    public UsageProfile Make()
    {
        var profile = new UsageProfile
        {
            Name = group.Name,
            Description = GroupText.Of(group, words),
            WaitMilliseconds = PublishWait(),
            Weights = new(1, 0, Publishes ? 1 : 0, 0, 0),
            KeepAliveSeconds = group.Told?.KeepAliveSeconds ?? 0,
            CleanSessions = group.Told?.IsClean ?? true,
            Retain = group.IsRetained,
            Filters = _subscriptions.Filters,
        };
        _limits.AddRange(_subscriptions.Limits);
        profile = Sizes(Qos(Topics(profile)));
        profile = group.Stays is null ? Staying(profile) : Visiting(profile);
        profile = Rhythm(Told(profile));
        if (group.Told is null)
            _limits.Add("no CONNECT of them was seen: keep alive, session and will are not known");
        if (group.Asker is { } asker)
            _limits.Add($"they answer messages of {asker.Name}; in the profile they publish as often by themselves");
        if (group.IsRest)
            _limits.Add("they have little in common; the profile has their means");
        return profile;
    }

    private Law PublishWait()
    {
        var waits = group.Waits[(int)MessageKind.Publish];
        var all = group.Stays is null && waits.Count > 0 ? waits : Sample.Of([waits, group.FirstWaits]);
        if (all.Count == 0)
            return new ConstantLaw(group.Stays is null ? SequenceMilliseconds : 1);
        // A device that keeps a rhythm has steadier intervals than waits, which lack the time of its answers.
        var isSteady = group.Stays is null && group.Intervals.Variation < all.Variation && all.Mean > 0;
        var fit = LawFit.Of(isSteady ? group.Intervals : all);
        if (isSteady)
            fit = fit with { Law = LawFit.Rounded(fit.Law.Scaled(all.Mean / group.Intervals.Mean)) };
        if (fit.Distance > LawFit.Rough && all.Variation > LawFit.Steady)
            _limits.Add(Invariant($"no law is near their intervals (distance {fit.Distance:0.00}); the mean is right"));
        return fit.Law;
    }

    private UsageProfile Topics(UsageProfile profile)
    {
        if (!Publishes)
            return _subscriptions.Shared is { } shared
                ? profile with
                {
                    TopicName = names.Shared(shared),
                    Topics = shared.Topics,
                }
                : profile;
        var (name, topics) = names.Of(group);
        if (group.Published.Count > 1)
            _limits.Add(
                Invariant($"they publish to {group.Published.Count} kinds of topics; in the profile to {name}")
            );
        return profile with { TopicName = name, Topics = topics };
    }

    private UsageProfile Qos(UsageProfile profile)
    {
        var levels = group.PublishQos;
        var used = Enumerable.Range(0, levels.Count).Where(level => levels[level] > 0).ToList();
        var highest = (QualityOfService)used.DefaultIfEmpty(group.SubscriptionQos ?? 0).Max();
        return profile with
        {
            Qos = used.Count > 1 ? QualityOfService.AtLeastOnce : highest,
            PublishQos = used.Count > 1 ? new(levels[0], levels[1], levels[2]) : null,
            SubscriptionQos =
                group.SubscriptionQos is { } qos && (QualityOfService)qos != highest ? (QualityOfService)qos : null,
        };
    }

    private UsageProfile Sizes(UsageProfile profile)
    {
        if (!Publishes)
            return profile;
        var (smallest, largest) = ((int)group.Sizes.Smallest, (int)group.Sizes.Largest);
        if (smallest < UsageProfile.SmallestPayloadBytes)
            _limits.Add(Invariant($"payloads of {smallest} bytes and more; the shortest of a profile has 12"));
        smallest = Math.Max(smallest, UsageProfile.SmallestPayloadBytes);
        largest = Math.Max(largest, smallest);
        var law = smallest == largest ? null : LawFit.Of(group.Sizes).Law;
        return profile with
        {
            MinimumPayloadBytes = smallest,
            MaximumPayloadBytes = largest,
            PayloadLaw = law is UniformLaw ? null : law,
        };
    }

    // Clients that stay: they publish until the sequence is over, or only listen.
    private UsageProfile Staying(UsageProfile profile)
    {
        var interval = Publishes ? profile.WaitMilliseconds.Mean : SequenceMilliseconds;
        var messages = Math.Clamp(
            (int)(SequenceMilliseconds / Math.Max(interval, 1)),
            ShortestSequence,
            LongestSequence
        );
        var first = Math.Min(interval, LongestRampUpMilliseconds);
        profile = profile with
        {
            RampUpSeconds = Publishes && first >= 1000 ? LawFit.Rounded(first / 1000) : 0,
            Waits = new(
                new UniformLaw(0, LawFit.Rounded(Math.Min(first, 1000))),
                Publishes ? null : new ConstantLaw(SequenceMilliseconds),
                null,
                SubscribeWait(),
                null
            ),
        };
        if (_subscriptions.IsChanging)
            return profile with { Weights = Counted(disconnects: 0), SequenceLength = messages };
        return Publishes
            ? profile with
            {
                Order = Steps(0, isClosed: false),
                SequenceLength = messages + _subscriptions.PerClient + 1,
            }
            : Closed(profile, Steps(0, isClosed: true));
    }

    // Clients that come and go, with as many messages each time, or with so many on average.
    private UsageProfile Visiting(UsageProfile profile)
    {
        var absence =
            group.Absences.Count >= group.Clients.Count
                ? LawFit.Of(group.Absences).Law
                : new ExponentialLaw(LawFit.Rounded(Math.Max(1, group.MissingSeconds * 1000 / group.Stays!.Count)));
        var leaving = group.Waits[(int)MessageKind.Disconnect];
        profile = profile with
        {
            Waits = new(
                absence,
                leaving.Count > 0 && Publishes ? LawFit.Of(leaving).Law : LawFit.Of(group.Stays!).Law,
                null,
                SubscribeWait(),
                null
            ),
        };
        var perVisit = group.PerStay - (group.Birth is null ? 0 : 1);
        var messages = (int)Math.Round(perVisit);
        if (!_subscriptions.IsChanging && Math.Abs(perVisit - messages) <= Whole * messages && messages <= MostSteps)
            return Closed(profile, Steps(messages, isClosed: true));
        return profile with { Weights = Counted(group.Stays!.Count), Order = Steps(0, isClosed: false) };
    }

    private UsageProfile Told(UsageProfile profile)
    {
        if (group is { Birth: { } birth, BirthTopic: { } topic })
            profile = profile with
            {
                AfterConnect = new(names.Alone(topic.Pattern))
                {
                    PayloadBytes = Math.Max(birth.Bytes, UsageProfile.SmallestPayloadBytes),
                    Qos = (QualityOfService)birth.Qos,
                    Retain = birth.IsRetained,
                },
                SequenceLength = profile.SequenceLength + 1,
            };
        return group is { Told.Will: { } will, WillTopic: { } pattern }
            ? profile with
            {
                Will = new(names.Alone(pattern), new('.', will.Bytes), (QualityOfService)will.Qos)
                {
                    Retain = will.IsRetained,
                },
            }
            : profile;
    }

    private UsageProfile Rhythm(UsageProfile profile)
    {
        if (group.Rhythm is not { } rhythm)
            return profile;
        // A uniform law has the deviation of its width by the root of 12.
        var jitter = Math.Min(rhythm.PeriodMilliseconds / 2, rhythm.SpreadMilliseconds * Math.Sqrt(12));
        return profile with
        {
            RampUpSeconds = 0,
            Simultaneous = new(
                LawFit.Rounded(rhythm.PeriodMilliseconds / 1000),
                LawFit.Rounded(jitter / 1000),
                group.Stays is null ? OrderStep.Publish : OrderStep.Connect
            ),
        };
    }

    private static UsageProfile Closed(UsageProfile profile, ValueList<OrderStep> order) =>
        profile with
        {
            Order = order,
            SequenceLength = order.Count,
            Weights = new(1, 0, 0, 0, 0),
        };

    // An order of a CONNECT alone orders nothing.
    private ValueList<OrderStep> Steps(int publications, bool isClosed)
    {
        OrderStep[] steps =
        [
            .. Enumerable.Repeat(OrderStep.Subscribe, _subscriptions.PerClient),
            .. Enumerable.Repeat(OrderStep.Publish, publications),
            .. isClosed ? [OrderStep.Disconnect] : (OrderStep[])[],
        ];
        return steps.Length == 0 ? [] : [OrderStep.Connect, .. steps];
    }

    private MessageWeights Counted(double disconnects)
    {
        double publications = group.Sent[(int)MessageKind.Publish],
            subscriptions = _subscriptions.IsChanging ? group.Sent[(int)MessageKind.Subscribe] : 0,
            ends = _subscriptions.IsChanging ? group.Sent[(int)MessageKind.Unsubscribe] : 0;
        return new(
            1,
            LawFit.Rounded(disconnects),
            LawFit.Rounded(publications),
            LawFit.Rounded(subscriptions),
            LawFit.Rounded(ends)
        );
    }

    private Law? SubscribeWait()
    {
        var waits = group.Waits[(int)MessageKind.Subscribe];
        return _subscriptions.IsChanging && waits.Count > 0 ? LawFit.Of(waits).Law
            : _subscriptions.PerClient > 0
                ? new ConstantLaw(waits.Count > 0 ? LawFit.Rounded(Math.Min(waits.Mean, 1000)) : 1)
            : null;
    }
}
