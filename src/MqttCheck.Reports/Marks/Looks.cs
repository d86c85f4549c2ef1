using MqttCheck.Clients;
using MqttCheck.Verification;

namespace MqttCheck.Reports.Marks;

/// <summary>The colours and symbols of what charts show.</summary>
internal static class Looks
{
    private static readonly Dictionary<MessageKind, int> s_kinds = new()
    {
        [MessageKind.Connect] = 1,
        [MessageKind.Disconnect] = 4,
        [MessageKind.Publish] = 0,
        [MessageKind.Subscribe] = 2,
        [MessageKind.Unsubscribe] = 3,
    };

    private static readonly Dictionary<VerdictKind, (Role, Symbol)> s_verdicts = new()
    {
        [VerdictKind.Confirmed] = (Role.Good, Symbol.Circle),
        [VerdictKind.NotWorse] = (Role.Good, Symbol.Circle),
        [VerdictKind.Worse] = (Role.Bad, Symbol.Square),
        [VerdictKind.Better] = (Role.Warn, Symbol.Square),
        [VerdictKind.Withheld] = (Role.Warn, Symbol.Wye),
        [VerdictKind.Partial] = (Role.Warn, Symbol.Wye),
    };

    /// <summary>The colour of a series, counted from 0.</summary>
    public static Role Series(int index) => Role.S1 + index % 5;

    /// <summary>The symbol of a series, which says the same without colour.</summary>
    public static Symbol Symbols(int index) => (Symbol)(index % 5);

    /// <summary>The series whose colour and symbol a kind of message has.</summary>
    public static int Kind(MessageKind kind) => s_kinds[kind];

    /// <summary>The colour of a verdict, and the symbol of its measurement.</summary>
    public static (Role Role, Symbol Symbol) Verdict(VerdictKind kind) => s_verdicts[kind];
}
