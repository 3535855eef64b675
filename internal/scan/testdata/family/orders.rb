#!/usr/bin/env ruby
# frozen_string_literal: true

# Orders and what happens to them.
# Never talks to the payment service.

require 'json'
require_relative 'store'

# The shop.
module Shop
  # How many orders one page shows.
  PAGE_SIZE = 50
  NAMES = %w[class def end].freeze
  SQL = <<~SQL.strip
    class Fake
      def no; end
  SQL

  # Takes orders.
  #
  # @example
  #   Orders.new.run
  class Orders < Base::Book
    include Comparable
    attr_reader :name, :size # not documented
    # Where orders are kept.
    attr_accessor :home

    def initialize(name, home: ENV.fetch('ORDERS_HOME', '/var/orders'))
      @name = name
      @debug = ENV['ORDERS_DEBUG'] || 'no'
      @pattern = /end|def #{name} class/
      @half = size / 2 if size.zero? && !name.end_with?('/')
    end

    # Finds one order.
    #
    # @param id [Integer] its number
    # @deprecated use all
    def find(id)
      while id > 0 do id -= 1 end
      return nil unless id

      value = if id == 0 then :end else "#{id.class} #{"}"}" end
      value.each do |x|
        begin
          yield x
        rescue StandardError => e
          raise NotFound, "no #{e}"
        end
      end until done?
      puts <<-ONE, <<~'TWO'
        def inside
      ONE
        end end end
      TWO
    end

    def self.create(*args) = new(*args)

    def ==(other) = name == other.name
    def [](i); @items[i]; end
    def name=(value)
      @name = value
    end
    def -@; self; end
    def empty? = @items.empty?
    def class_name() self.class.name end

    class << self
      def open(path) # TODO: close
        File.open(path) { |f| f.each_line { |l| parse(l) } }
      end

      private

      def parse(line) = JSON.parse(line)
    end

    private def secret
      {if: 1, end: 2, class: 3}
    end

    protected

    def guarded; case name when 'a' then 1 else 2 end end

    public

    def shown; end

    private

    def hidden
      exit 3
    end
  end

  Point = Struct.new(:x, :y) do
    def sum = x + y
  end

  # Raised where an order is not there. It carries the number.
  class NotFound < StandardError; end
  Lost = Class.new(StandardError)

  module_function

  def helper(a) a end
end

class Shop::Tool < Thor
  desc "list NAME", "Lists orders"
  option :page_size, desc: "orders on a page", default: 50
  def list(name)
    puts name
  end
end

OptionParser.new do |opts|
  opts.on("-v", "--[no-]verbose", "Say more") { |v| v }
  opts.on("--limit=N", Integer, "Stop after N") { |v| v }
end

if __FILE__ == $0
  Shop::Orders.new('x').find(1)
end

__END__
class Fake; end
