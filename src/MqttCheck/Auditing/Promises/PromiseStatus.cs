namespace MqttCheck.Auditing.Promises;

/// <summary>Says whether simulations show that a promise is kept.</summary>
internal enum PromiseStatus
{
    /// <summary>Kept at the stated error: the upper bound of the error is below 1.2 times the stated one.</summary>
    Kept,

    /// <summary>
    /// Kept with the printed exception only: the upper bound is below 1.2 times the sum of the stated error and the
    /// exception (<see cref="PromiseCell.Floor"/>), and not below 1.2 times the stated error itself.
    /// </summary>
    KeptWithException,

    /// <summary>The lower bound of the error is above the stated one, with the exception where there is one.</summary>
    Broken,

    /// <summary>Neither; more simulations may tell.</summary>
    Undecided,

    /// <summary>Nothing is promised here; the error is printed all the same.</summary>
    NotPromised,
}
