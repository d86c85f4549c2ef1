namespace MqttCheck.Broker.Routing;

/// <summary>The form of shared subscriptions: <c>$share/name/filter</c> (MQTT 5, section 4.8.2).</summary>
internal static class SharedFilter
{
    private const string Prefix = "$share/";

    public static bool IsShared(string filter) => filter.StartsWith(Prefix, StringComparison.Ordinal);

    /// <summary>The filter behind the share name; the filter itself if it is not shared.</summary>
    public static string FilterOf(string filter) =>
        IsShared(filter) ? filter[(filter.IndexOf('/', Prefix.Length) + 1)..] : filter;
}
