namespace MqttCheck.Conformance.Model;

/// <summary>A subscription that is over for sure, kept to say why a delivery is wrong.</summary>
/// <param name="Filter">The filter.</param>
/// <param name="EndedAt">The entry at which it was over.</param>
/// <param name="Statement">The statement that ended it.</param>
internal sealed record EndedSubscription(string Filter, int EndedAt, Statement Statement);
