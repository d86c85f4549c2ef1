namespace MqttCheck.Properties.Formulas;

/// <summary>
/// The value of a formula at a message: it holds or fails, or only a part of it applies. A partial value leans to one
/// side or to none. A flag says whether any question about messages was judged on the way.
/// </summary>
[Flags]
internal enum Judgement : byte
{
    /// <summary>Later messages decide.</summary>
    Open = 0,

    /// <summary>It holds, or what applies of it does.</summary>
    Holds = 1,

    /// <summary>It fails, or what applies of it does.</summary>
    Fails = 2,

    /// <summary>
    /// A part that does not apply could have decided it, so temporal operators pass over the message.
    /// </summary>
    Partial = 4,

    /// <summary>A comparison that applies, a kind or an outcome had a part in it.</summary>
    Judged = 8,
}
