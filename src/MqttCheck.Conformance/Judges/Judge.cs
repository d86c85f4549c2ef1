using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Observation;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Topics;

namespace MqttCheck.Conformance.Judges;

/// <summary>
/// Judges one family of statements. It takes what it is handed of the run, notes in the model what follows from it, and
/// says what deviates.
/// </summary>
/// <remarks>
/// Every request takes effect at some moment between its sending and its answer: a QoS 2 publication between PUBLISH
/// and PUBCOMP, and one without answer at any time after. A judge demands what holds for every choice of these moments,
/// allows what holds for some, and calls a deviation what holds for none.
/// </remarks>
internal abstract class Judge(Judgements judgements)
{
    protected const long SecondNanoseconds = 1_000_000_000;

    protected ObservedRun Run => judgements.Run;

    protected ProtocolVersion Version => Run.Version;

    protected bool IsV5 => Run.IsV5;

    protected int Now => Run.Now;

    protected long NowNanoseconds => Run.NowNanoseconds;

    /// <summary>Whether the broker is taken to do something wrong.</summary>
    protected bool Assumes(AssumedFaults fault) => Run.Assumes(fault);

    /// <summary>Whether a subscription is a shared one that matches.</summary>
    protected static bool IsShareOf(SubscriptionState subscription, Publication publication) =>
        subscription.IsShared && TopicFilter.Matches(subscription.Plain, publication.Topic);

    protected void Check(Statement statement) => judgements.Check(statement);

    protected void Check(Statement statement, string situation) => judgements.Check(statement, situation);

    protected void Note(Statement statement, string situation) => judgements.Note(statement, situation);

    protected void Deviate(Statement statement, string circumstances, string explanation, bool mustRecur = false) =>
        judgements.Deviate(statement, circumstances, explanation, mustRecur);

    protected void DeviateByEnd(
        Statement statement,
        string explanation,
        SentPacket trigger,
        string? circumstances = null
    ) => judgements.DeviateByEnd(statement, explanation, trigger, circumstances);

    // Such reasons concern the client's identity and rights, and not the packets that it sent.
    protected static bool IsBySetUp(ReasonCode code) =>
        code
            is ReasonCode.NotAuthorized
                or ReasonCode.BadUserNameOrPassword
                or ReasonCode.Banned
                or ReasonCode.QuotaExceeded
                or ReasonCode.AdministrativeAction
                or ReasonCode.MessageRateTooHigh
                or ReasonCode.ConnectionRateExceeded
                or ReasonCode.UseAnotherServer
                or ReasonCode.ServerMoved;
}
