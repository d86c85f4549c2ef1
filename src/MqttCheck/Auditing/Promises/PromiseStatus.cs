namespace MqttCheck.Auditing.Promises;

/// <summary>What simulations say about a promise.</summary>
public enum PromiseStatus
{
    /// <summary>The upper bound of the error is below 1.2 times the promise.</summary>
    Kept,

    /// <summary>The lower bound of the error is above the promise.</summary>
    Broken,

    /// <summary>Neither; more simulations may tell.</summary>
    Undecided,

    /// <summary>Nothing is promised here; the error is printed all the same.</summary>
    NotPromised,
}
